import { hasChromium } from '../../support/start-chromium.js';

/** `describe` where there is a Chromium. Elsewhere the tests are skipped, and fail in CI, so that nobody misses them. */
export const describeInBrowser: jest.Describe = !hasChromium && !process.env['CI'] ? describe.skip : describe;

/** As in package.json, which a test compares. */
export const VERSION = '0.1.0';

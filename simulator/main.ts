import { defaultInternet } from './internet.js';
import { OptionFault, parseOptions, USAGE } from './options.js';
import { productSettings } from './product-settings.js';
import { project } from './projection.js';
import { reportOf } from './report.js';

/** `npm run simulate`. */
function main(args: readonly string[]): number {
  const settings = productSettings();
  try {
    const { json, help, ...question } = parseOptions(args, settings.concurrency);
    if (help) {
      process.stdout.write(`${USAGE}\n`);
      return 0;
    }
    const projection = project(question, defaultInternet(settings.connectTimeoutMs), settings);
    process.stdout.write(
      json ? `${JSON.stringify({ question, projection }, null, 2)}\n` : `${reportOf(question, projection)}\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    process.stderr.write(`${error.message} --help lists the options.\n`);
    return 2;
  }
}

process.exitCode = main(process.argv.slice(2));

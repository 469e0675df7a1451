'use strict';

/** Loaded into a process (`--require`): when it ends, it writes the most memory that it ever took, in kB, to a file. */
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env['MAX_RSS_FILE'], String(process.resourceUsage().maxRSS)));

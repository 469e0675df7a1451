import { readFile } from 'node:fs/promises';
import { staticFile, type StaticFile } from './static-file.js';

/** Allows only files of this host: no inline script, no external request. The icons of the style sheet are `data:`. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Relative links, since a proxy may serve the page at another path. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mailvet API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <noscript>This page needs JavaScript. <a href="openapi.json">The description itself</a> does not.</noscript>
    <div id="reference"></div>
  </body>
</html>
`;

/** `validatorUrl`: by default the page sends the document's address to a public service. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

const SCRIPT = 'text/javascript; charset=utf-8';

/** The page at `/docs`. */
export const referencePage = (): Promise<StaticFile> => staticFile('text/html; charset=utf-8', PAGE);

/** The files of the page, by their names under `/docs/`. */
export const REFERENCE_FILES: Readonly<Record<string, () => Promise<StaticFile>>> = {
  'start.js': () => staticFile(SCRIPT, START),
  'swagger-ui.css': () => installed('text/css; charset=utf-8', require.resolve('swagger-ui-dist/swagger-ui.css')),
  'swagger-ui-bundle.js': () => installed(SCRIPT, require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
};

async function installed(type: string, path: string): Promise<StaticFile> {
  return staticFile(type, await readFile(path));
}

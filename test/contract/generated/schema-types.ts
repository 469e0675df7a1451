import openapiTS, { astToString } from 'openapi-typescript';

interface Described {
  readonly openapi: string;
  readonly info: object;
  readonly components: { readonly schemas: object };
}

const HEAD = '/* Made of docs/console-openapi.json by `npm run openapi`; do not edit. */\n\n';

/** The schemas of an OpenAPI document as TypeScript, without its paths: the page names them itself. */
export async function schemaTypes(document: string): Promise<string> {
  const { openapi, info, components } = JSON.parse(document) as Described;
  const schemas = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  return HEAD + astToString(await openapiTS(schemas as never, { immutable: true }));
}

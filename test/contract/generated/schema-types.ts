interface Described {
  readonly openapi: string;
  readonly info: object;
  readonly components: { readonly schemas: object };
}

/** The schemas of an OpenAPI document, `docs/FILE`, as TypeScript, without its paths: who uses the types names them. */
export async function schemaTypes(document: string, file: string): Promise<string> {
  const { openapi, info, components } = JSON.parse(document) as Described;
  const schemas = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  // Its declarations for require() lack what it exports by name.
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const head = `/* Made of docs/${file} by \`npm run openapi\`; do not edit. */\n\n`;
  return head + astToString(await openapiTS(schemas as never, { immutable: true }));
}

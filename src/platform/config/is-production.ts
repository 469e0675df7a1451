/** For commands that must not run there. */
export function isProduction(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment['NODE_ENV'] === 'production';
}

/** For commands that must not run there. */
export function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}

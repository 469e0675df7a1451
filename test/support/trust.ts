import tls from 'node:tls';

/**
 * Makes this process trust a certificate authority beside the usual ones, as `NODE_EXTRA_CA_CERTS` would have at its start.
 * The usual ones are not given as `ca`: Node would read all of them for each connection.
 * @returns undoes it
 */
export function trust(certificate: string): () => void {
  const usual = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const made = usual(options);
    made.context.addCACert(certificate);
    return made;
  };
  return () => {
    tls.createSecureContext = usual;
  };
}

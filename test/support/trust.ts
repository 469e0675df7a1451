import tls from 'node:tls';

/**
 * Makes this process trust a certificate authority beside the usual ones, as `NODE_EXTRA_CA_CERTS` would have at its start.
 * @returns undoes it
 */
export function trust(certificate: string): () => void {
  const usual = tls.createSecureContext;
  tls.createSecureContext = (options) => usual({ ...options, ca: [...tls.rootCertificates, certificate] });
  return () => {
    tls.createSecureContext = usual;
  };
}

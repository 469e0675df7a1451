import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';

/** The host's certificate is not valid now for its name, or its authority is not trusted here. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
}

/**
 * Adds TLS to a connection and checks the certificate for the host name, with Node's authorities and those of
 * `NODE_EXTRA_CA_CERTS`.
 * @throws CertificateRefused, or the error of TLS or the connection; the socket is destroyed then
 */
export function secureSocket(socket: Socket, host: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      // The extension accepts only names (RFC 6066 3).
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      // Node sets the host only if it was passed as the server name.
      checkServerIdentity: (_, certificate) => identityFault(host, certificate),
    });
    const onError = (error: Error): void => {
      // Set only after a successful handshake.
      const certificate = (secured.authorizationError as unknown) ?? null;
      secured.destroy();
      reject(certificate === null ? error : new CertificateRefused());
    };
    const onClose = (): void => onError(new Error('the connection ended during the handshake'));
    secured.on('error', onError);
    secured.on('close', onClose);
    secured.on('secureConnect', () => {
      secured.off('close', onClose);
      resolve(secured);
    });
  });
}

/** Checks only the alternative names (RFC 9525 2, RFC 8461 3.3); Node would fall back to the common name. */
function identityFault(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subjectaltname === undefined) return new Error('the certificate names no host');
  return checkServerIdentity(host, certificate);
}

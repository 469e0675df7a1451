import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';

/** What the host presented is no certificate for its name from an authority that this machine trusts, valid now. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
}

/**
 * TLS over a connection, with the other side's certificate checked for a host name. The authorities are those of Node, with
 * what `NODE_EXTRA_CA_CERTS` adds.
 * @throws CertificateRefused, or what went wrong with TLS or the connection; the socket is destroyed then
 */
export function secureSocket(socket: Socket, host: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      // The extension takes names alone (RFC 6066 3).
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      // Node names the host by itself only where it was given as a server name.
      checkServerIdentity: (_, certificate) => identityFault(host, certificate),
    });
    const onError = (error: Error): void => {
      // Set when, and only when, the handshake itself went well.
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

/** Only the alternative names count (RFC 9525 2, RFC 8461 3.3); Node would fall back to the common name. */
function identityFault(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subjectaltname === undefined) return new Error('the certificate names no host');
  return checkServerIdentity(host, certificate);
}

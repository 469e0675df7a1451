/**
 * node oidc-process.mjs PORT CALLBACK USERS: a provider of OpenID Connect on the loopback address. It takes any name at its login and no
 * password. USERS: JSON of name -> { email, email_verified }.
 */
import { Provider } from 'oidc-provider';

const [port, callback, users] = process.argv.slice(2);
const known = JSON.parse(users);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'mailvet', client_secret: 'a secret of the tests', redirect_uris: [callback] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['of the tests'] },
  pkce: { required: () => true },
  findAccount: (_, name) => ({ accountId: name, claims: () => ({ sub: name, ...known[name] }) }),
  // Nobody is asked for consent.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
provider.listen(Number(port), '127.0.0.1');

import { waitUntil } from '../support/wait-until.js';
import { DEFERRED, itJudges, POLICY, REFUSED_US, VALID, type Behaviour } from './support/behaviour.js';
import { Checks } from './support/checks.js';
import { postfixHosts } from './support/postfix-hosts.js';
import { postfixTask, type PostfixListener } from './support/postfix.js';
import { postgreyTask } from './support/postgrey.js';
import { describeWithServers } from './support/with-servers.js';

const DELAY_SECONDS = 2;

const HOSTS: Readonly<Record<string, PostfixListener>> = {
  greylist: { settings: { smtpd_recipient_restrictions: 'check_policy_service inet:$postgrey' } },
  postscreen: { program: 'postscreen' },
  'postscreen-thorough': {
    program: 'postscreen',
    settings: {
      postscreen_pipelining_enable: 'yes',
      postscreen_pipelining_action: 'enforce',
      postscreen_non_smtp_command_enable: 'yes',
      postscreen_non_smtp_command_action: 'drop',
      postscreen_bare_newline_enable: 'yes',
      postscreen_bare_newline_action: 'enforce',
    },
  },
  'few-connections': { settings: { smtpd_client_connection_rate_limit: '3' } },
  'few-recipients': { settings: { smtpd_client_recipient_rate_limit: '1' } },
};

const DIAGNOSED = { ...DEFERRED, smtp_diagnosis: 'greylist_deferred' };

/** The greeting comes in two parts, and who speaks before the second fails the test. */
const GREETED_SLOWLY: Behaviour[] = [
  { when: 'postscreen watches us before it lets us in', email: 'anna@postscreen.test', result: VALID },
];

describeWithServers(
  'a Postfix that lets us ask later, or not so often',
  ({ places, tree }) => {
    const { domains, listeners, at } = postfixHosts(places, HOSTS);
    const settings = {
      mydestination: Object.keys(domains).join(', '),
      local_recipient_maps: 'inline:{ anna=x, bert=x }',
      smtpd_relay_restrictions: 'reject_unauth_destination',
      postgrey: places.endpoint('postgrey'),
      postscreen_access_list: '',
      postscreen_greet_wait: '2s',
      postscreen_greet_action: 'enforce',
      anvil_rate_time_unit: '3600s',
    };
    const listen = { address: places.address('postgrey'), port: places.port };
    return {
      domains,
      servers: [
        { task: postgreyTask(tree, { listen, delaySeconds: DELAY_SECONDS }), at: ['postgrey'] },
        { task: postfixTask(tree, { settings, listeners }), at },
      ],
    };
  },
  (bench) => {
    itJudges(GREETED_SLOWLY, () => bench().checks);

    it.each([
      { mode: 'standard', email: 'anna@greylist.test', deferred: { ...DEFERRED, smtp_diagnosis: null } },
      { mode: 'enhanced', email: 'bert@greylist.test', deferred: DIAGNOSED },
    ] as const)(
      '$mode: greylisting defers a mailbox until the same sender returns after the delay',
      async ({ mode, email, deferred }) => {
        const { checks, servers } = bench();
        expect(await checks.misses(email, mode, deferred)).toEqual([]);
        const isLetIn = async () => (await checks.misses(email, mode, VALID)).length === 0;
        await waitUntil(isLetIn, { ms: (DELAY_SECONDS + 10) * 1000, everyMs: 200 });
        expect(await checks.misses(email, mode, VALID)).toEqual([]);

        const other = new Checks(servers, { SMTP_MAIL_FROM: `other-${mode}@prober.test` });
        expect(await other.misses(email, mode, deferred)).toEqual([]);
        other.close();
      },
    );

    it('enhanced: a postscreen with deep tests defers the mailbox once', async () => {
      const { checks } = bench();
      expect(await checks.misses('anna@postscreen-thorough.test', 'enhanced', DIAGNOSED)).toEqual([]);
      expect(await checks.misses('anna@postscreen-thorough.test', 'enhanced', VALID)).toEqual([]);
    });

    it('enhanced: too many connections are a refusal of us', async () => {
      const { checks } = bench();
      // The one that looked whether the server was up may count too.
      for (let i = 0; i < 3; i += 1) await checks.misses('anna@few-connections.test', 'standard', VALID);
      expect(await checks.misses('anna@few-connections.test', 'enhanced', { ...REFUSED_US, ...POLICY })).toEqual([]);
    });

    it('enhanced: too many recipients are a refusal of us, and an excess random one changes nothing', async () => {
      const { checks } = bench();
      expect(await checks.misses('anna@few-recipients.test', 'enhanced', { ...VALID, catch_all: false })).toEqual([]);
      expect(await checks.misses('anna@few-recipients.test', 'enhanced', { ...REFUSED_US, ...POLICY })).toEqual([]);
    });
  },
);

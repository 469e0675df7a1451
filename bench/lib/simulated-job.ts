import { Simulation, type Service } from '../../simulator/simulation.js';
import { recipientOf, simulatedHost, type SimulatedDomain } from '../../simulator/world.js';
import { hostBehaviourOf, isReal } from './job-world.js';

/** Milliseconds that a job of these addresses takes in the model. */
export function simulateJob(emails: readonly string[], service: Service): number {
  const domains = new Map<string, SimulatedDomain>();
  const simulation = new Simulation(service);
  simulation.submit(
    emails.map((email) => {
      const name = email.slice(email.indexOf('@') + 1);
      const domain = domains.get(name) ?? domainOf(name, email);
      domains.set(name, domain);
      return recipientOf(domain, isReal(email));
    }),
  );
  simulation.clock.run();
  return simulation.clock.nowMs;
}

function domainOf(name: string, email: string): SimulatedDomain {
  const { roundTripMs = 0, greylist, hardErrorLimit, recipientLimit } = hostBehaviourOf(email);
  const host = simulatedHost(`mx.${name}`, {
    roundTripMs,
    ...(greylist !== undefined && { greylists: { namedSeconds: null } }),
    ...(hardErrorLimit !== undefined && { hangsUpAfterErrors: hardErrorLimit }),
    ...(recipientLimit !== undefined && { recipientsPerSession: recipientLimit.count }),
  });
  return { name, host };
}

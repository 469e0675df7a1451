import { afterFailure, isFailing, isPassedOver, SOUND, whenChosen, type Circuit } from './egress-circuit.js';

describe('the circuit of an egress', () => {
  const failed = (times: number, now = 0): Circuit => {
    let circuit = SOUND;
    for (let time = 0; time < times; time += 1) circuit = afterFailure(circuit, now);
    return circuit;
  };

  it('stays closed after two failures in a row', () => {
    expect(isPassedOver(failed(2), 0)).toBe(false);
    expect(isFailing(failed(2))).toBe(false);
  });

  it('opens for ten seconds after the third failure', () => {
    expect(isPassedOver(failed(3), 9_999)).toBe(true);
    expect(isPassedOver(failed(3), 10_000)).toBe(false);
  });

  it('ignores failures of checks that started earlier', () => {
    expect(failed(50)).toEqual(failed(3));
  });

  it('opens for a growing time, at most five minutes', () => {
    let circuit = failed(2);
    let now = 0;
    const pauses: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      circuit = afterFailure(circuit, now);
      pauses.push((circuit.passedOverUntilMs - now) / 1000);
      now = circuit.passedOverUntilMs;
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it('admits one trial check after the pause', () => {
    const onTrial = whenChosen(failed(3), 10_000);
    expect(isPassedOver(onTrial, 10_001)).toBe(true);
    expect(isPassedOver(onTrial, 20_000)).toBe(false);
    expect(isPassedOver(afterFailure(onTrial, 10_500), 30_499)).toBe(true);
  });

  it('is not on trial while the egress works', () => {
    expect(whenChosen(failed(2), 5)).toEqual(failed(2));
  });
});

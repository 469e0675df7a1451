import { gradeOf } from './grade.js';

const NONE = { valid: 0, invalid: 0, catch_all: 0, disposable: 0, role: 0, unknown: 0 };

describe('gradeOf', () => {
  it.each([
    [{ valid: 10 }, 'A', 100],
    [{ valid: 9, invalid: 1 }, 'A', 90],
    [{ valid: 899, invalid: 101 }, 'B', 89],
    [{ valid: 2, role: 1 }, 'B', 86],
    [{ valid: 1, catch_all: 1 }, 'C', 75],
    [{ catch_all: 3 }, 'D', 50],
    [{ unknown: 3 }, 'F', 30],
    [{ disposable: 3 }, 'F', 0],
  ])('%j: %s', (verdicts, letter, points) => {
    expect(gradeOf({ ...NONE, ...verdicts })).toMatchObject({ letter, points });
  });

  it('is nothing without a verdict', () => {
    expect(gradeOf(NONE)).toBeNull();
  });
});

import { itDiagnoses } from '../../../../test/factories/wordings.js';
import { WORLD_WORDINGS } from '../../../../test/factories/world-wordings.js';

describe.each(Object.entries(WORLD_WORDINGS))('what hosts say in %s', (_, { replies }) => {
  itDiagnoses(replies, true);
});

import { ApiError } from '../../api/client';
import { formatDuration } from '../../components/format';
import { adviceOn, messageOf, Failure } from '../../components/states';

export function SignInFailure({ error }: { error: Error | null }) {
  if (!error) return null;
  const [title, advice] = wordsFor(error);
  return <Failure error={error} title={title} advice={advice} />;
}

function wordsFor(error: Error): [string, string] {
  if (!(error instanceof ApiError)) return [messageOf(error), adviceOn(error)];
  if (error.status === 429) {
    const wait = error.retryAfterSeconds;
    return ['Too many attempts', `Try again in ${wait === null ? 'a while' : formatDuration(wait)}.`];
  }
  if (error.code === 'sign_in_failed')
    return ['That did not match', 'Check the email address and the password, then try again.'];
  return [error.message, adviceOn(error)];
}

import { MAX_RETRY_DELAY, retryDelay } from './retry-delay.js';

const of = (text: string) => retryDelay([text]);

describe('retryDelay', () => {
  it.each([
    ['try again in 5 minutes', 300],
    ['please try again after 300 seconds', 300],
    ['retry after 300', 300],
    ['Retry-After: 120', 120],
    ['try again in 285s', 285],
    ['greylisted, come back in 00:04:58', 298],
    ['<ann@retry-in-9-minutes.example.com>: try again in 5 minutes', 300],
    ['try again in 4 min 30 s', 270],
    ['try again in 4m30s', 270],
    ['retry in 1 hour', 3_600],
    ['try again in 1 hour and 10 minutes', MAX_RETRY_DELAY],
    ['Greylisted for 60 seconds', 60],
    ['You are greylisted for 20 minutes', 1_200],
    ['wait 10 mins and resend', 600],
    ['Please come back in an hour', 3_600],
    ['in 5 minutes please try again', 300],
    ['bitte versuchen Sie es in 15 Minuten erneut', 900],
    ['réessayez dans 5 minutes', 300],
    ['intente de nuevo en 2 minutos', 120],
    ['riprovare tra 10 minuti', 600],
    ['попробуйте через 5 минут', 300],
    ['spróbuj ponownie za 5 minut', 300],
    ['probeer opnieuw over 30 seconden', 30],
    ['try again in 4 hours', MAX_RETRY_DELAY],
    ['retry in 999999 hours', MAX_RETRY_DELAY],
  ])('%s: %d s', (text, seconds) => {
    expect(of(text)).toBe(seconds);
  });

  it.each([
    ['', 'nothing said'],
    ['try again later', 'no time named'],
    ['greylisted <ann@try-again-in-5-minutes.example.com>', 'the time stands in a domain'],
    ['greylisted, try later: ann@5-minutes.example.com', 'the time stands in a domain'],
    ['try later: mx.wait-5m.example.com', 'the time stands in a host name'],
    ['try later: <"in 5 minutes"@example.com>', 'the time stands in a local part'],
    ['try again in a few minutes', 'no number'],
    ['sent 100 messages in 5 minutes', 'no wish to be asked again'],
    ['try again in 0 seconds', 'no delay'],
    ['please retry later (S3113) [2024-05-09T23:34:45.000Z]', 'a time of day'],
    ['try again later, see 192.0.2.1', 'an address'],
    ['4.7.1 try again, code 451 4.7.1 help', 'codes'],
  ])('%p: none (%s)', (text) => {
    expect(of(text)).toBeNull();
  });

  it('prefers the time after the request to an earlier one', () => {
    expect(of('limit of 10 minutes reached, try again in 30 seconds')).toBe(30);
  });

  it('continues on the next line', () => {
    expect(retryDelay(['Greylisted, try again in', '5 minutes'])).toBe(300);
  });
});

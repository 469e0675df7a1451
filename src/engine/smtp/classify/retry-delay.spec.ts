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
    ['try again in 0 hour(s) 25 minute(s)', 1_500],
    ['try again in 4 minute(s) and 58 second(s)', 298],
    ['try again in 3 min, 5 sec', 185],
    ['try again in 3 minutes or 5 seconds', 180],
    ['try again in 3 minutes and then 5 seconds', 180],
    ['try again in 3 minutes 2 minutes', 180],
    ['try again in 5 users, 3 minutes', 180],
    ['try again in 90-seconds', 90],
    ['wait (00:01:30)', 90],
    ['delay=00:00:30', 30],
    ['try again within 01:00:00', MAX_RETRY_DELAY],
    ['Greylisted, wait 300', 300],
    ['retry_in: 45', 45],
    ['retry-after=10', 10],
    ['delay 1', 1],
    ['one minute, then retry', 60],
    ['retry in a minute', 60],
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
    ['try again at 12:30:15', 'a time of day'],
    ['wait 1.5', 'no whole number'],
    ['try again in 5 minutely', 'no unit'],
  ])('%p: none (%s)', (text) => {
    expect(of(text)).toBeNull();
  });

  const HOURS =
    'h hr hrs hour hours heure heures hora horas ore ora stunde stunden std uur uren timme timmar timer час часа часов';
  const MORE_HOURS = 'godzina godziny godzin hodina hodinu hodin saat';
  const MINUTES =
    'm min mins minute minutes minuto minutos minuti minuta minuty minut minuten minuter minutter мин минут';
  const MORE_MINUTES = 'минуты минуту хвилин хвилини dakika perc';
  const SECONDS = 's sec secs second seconds seconde secondes segundo segundos secondi secondo sek sekunde sekunden';
  const MORE_SECONDS = 'seconden sekunder sekund sekundy сек секунд секунды saniye masodperc';
  const units = (names: string, seconds: number): [string, number][] => names.split(' ').map((name) => [name, seconds]);

  it.each([
    ...units(`${HOURS} ${MORE_HOURS}`, MAX_RETRY_DELAY),
    ...units(`${MINUTES} ${MORE_MINUTES}`, 120),
    ...units(`${SECONDS} ${MORE_SECONDS}`, 2),
  ])('knows the unit %s: %d s', (unit, seconds) => {
    expect(of(`try again: 2 ${unit}.`)).toBe(seconds);
  });

  const WISHES =
    'retry try again wait back later delay greyl grayl defer resend expire erneut ' +
    'versuch warte essay intent riprov tent попроб повтор sprobuj ponownie opnieuw zkuste igen tekrar';

  it.each(WISHES.split(' '))('takes %s for a wish to be asked again', (cue) => {
    expect(of(`${cue} 3 minutes`)).toBe(180);
    expect(of(`3 minutes ${cue}`)).toBe(180);
  });

  it.each(['and', 'und', 'et', 'y', 'e'])('joins two amounts by %s', (joint) => {
    expect(of(`try again in 2 minutes ${joint} 5 seconds`)).toBe(125);
  });

  it('prefers the time after the request to an earlier one', () => {
    expect(of('limit of 10 minutes reached, try again in 30 seconds')).toBe(30);
  });

  it('continues on the next line', () => {
    expect(retryDelay(['Greylisted, try again in', '5 minutes'])).toBe(300);
  });
});

import fc from 'fast-check';
import { readDate } from '../../../src/http/server-wait/dates.js';

const now = Date.UTC(2026, 10, 30, 12);
const read = (text: string, at = now) => {
  const instant = readDate(text, at);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('a date', () => {
  it.each([
    ['in the preferred form', 'Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['in the form of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['in the form of asctime', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['of asctime on two digits', 'Mon Nov 30 12:03:00 2026', '2026-11-30T12:03:00.000Z'],
    ['on a leap day', 'Thu, 29 Feb 2024 00:00:00 GMT', '2024-02-29T00:00:00.000Z'],
    ['in a leap second', 'Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
    ['at the end of the calendar', 'Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59.000Z'],
    ['long ago', 'Mon, 01 Jan 0099 00:00:00 GMT', '0099-01-01T00:00:00.000Z'],
    ['under the name UTC', 'Sun, 06 Nov 1994 08:49:37 UTC', '1994-11-06T08:49:37.000Z'],
    ['east of Greenwich', 'Sun, 06 Nov 1994 08:49:37 +0530', '1994-11-06T03:19:37.000Z'],
    ['west of Greenwich', 'Sun, 06 Nov 1994 20:49:37 -0500', '1994-11-07T01:49:37.000Z'],
    ['as far east as can be', 'Sun, 06 Nov 1994 23:59:37 +2359', '1994-11-06T00:00:37.000Z'],
    ['of RFC 850 in a zone', 'Sunday, 06-Nov-94 08:49:37 +0000', '1994-11-06T08:49:37.000Z'],
    ['of RFC 3339', '2026-11-30T12:00:30Z', '2026-11-30T12:00:30.000Z'],
    ['of RFC 3339 in small letters', '2026-11-30t12:00:30z', '2026-11-30T12:00:30.000Z'],
    ['of RFC 3339 with a space', '2026-11-30 12:00:30Z', '2026-11-30T12:00:30.000Z'],
    ['of RFC 3339 east', '2026-11-30T12:00:30+05:30', '2026-11-30T06:30:30.000Z'],
    ['of RFC 3339 west', '2026-11-30T23:00:30-01:00', '2026-12-01T00:00:30.000Z'],
    ['of RFC 3339 with milliseconds', '2026-11-30T12:00:30.25Z', '2026-11-30T12:00:30.250Z'],
    ['of ISO 8601 without seconds', '2026-11-30T12:31Z', '2026-11-30T12:31:00.000Z'],
    ['of ISO 8601 with a bare offset', '2026-11-30T12:31:00+0000', '2026-11-30T12:31:00.000Z'],
  ])('%s is read: %s', (_title, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['a number', '120'],
    ['words', 'tomorrow'],
    ['a weekday that there is not', 'Foo, 06 Nov 1994 08:49:37 GMT'],
    ['a weekday in full where it is short', 'Sunday, 06 Nov 1994 08:49:37 GMT'],
    ['a short weekday where it is in full', 'Sun, 06-Nov-94 08:49:37 GMT'],
    ['no weekday', '06 Nov 1994 08:49:37 GMT'],
    ['a month that there is not', 'Sun, 06 Nob 1994 08:49:37 GMT'],
    ['small letters', 'sun, 06 nov 1994 08:49:37 gmt'],
    ['a day of one digit', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['a day of one digit, of asctime', 'Sun Nov 6 08:49:37 1994'],
    ['a year of two digits', 'Sun, 06 Nov 94 08:49:37 GMT'],
    ['a year of four digits, of RFC 850', 'Sunday, 06-Nov-1994 08:49:37 GMT'],
    ['no zone', 'Sun, 06 Nov 1994 08:49:37'],
    ['no zone, of RFC 850', 'Sunday, 06-Nov-94 08:49:37'],
    ['no zone, of RFC 3339', '2026-11-30T12:00:30'],
    ['a zone behind a date of asctime', 'Sun Nov  6 08:49:37 1994 GMT'],
    ['a zone by name', 'Sun, 06 Nov 1994 08:49:37 EST'],
    ['a zone with too many hours', 'Sun, 06 Nov 1994 08:49:37 +2400'],
    ['a zone with too many minutes', 'Sun, 06 Nov 1994 08:49:37 +0060'],
    ['the 31st of a month with 30 days', 'Wed, 31 Nov 2026 12:00:00 GMT'],
    ['a leap day in another year', 'Sun, 29 Feb 2026 12:00:00 GMT'],
    ['day 0', 'Sun, 00 Nov 2026 12:00:00 GMT'],
    ['day 99', 'Sun, 99 Nov 2026 12:00:00 GMT'],
    ['month 13', '2026-13-01T12:00:00Z'],
    ['month 0', '2026-00-01T12:00:00Z'],
    ['hour 24', 'Mon, 30 Nov 2026 24:00:00 GMT'],
    ['minute 60', 'Mon, 30 Nov 2026 12:60:00 GMT'],
    ['second 61', 'Mon, 30 Nov 2026 12:00:61 GMT'],
    ['a fraction without digits', '2026-11-30T12:00:30.Z'],
    ['a date alone', '2026-11-30'],
    ['a time zone alone', '2026-11-30Z'],
    ['what comes before', 'on Mon, 30 Nov 2026 12:00:00 GMT'],
    ['what comes behind', 'Mon, 30 Nov 2026 12:00:00 GMT or so'],
    ['a line break behind', 'Mon, 30 Nov 2026 12:00:00 GMT\n'],
    ['the order of the United States', '11/30/2026 12:01:00'],
    ["another language's month", 'Mon, 30 Dez 2026 12:00:00 GMT'],
    ['digits of another script', 'Mon, ٣٠ Nov 2026 12:00:00 GMT'],
    ['a week', '2026-W49-1T12:00:00Z'],
  ])('is none with %s: %j', (_title, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is read to the instant that Date itself prints', () => {
    const instants = fc.date({ min: new Date(0), max: new Date(9e13), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (date) => {
        expect(readDate(date.toISOString(), now)).toBe(date.getTime());
        const seconds = Math.floor(date.getTime() / 1_000) * 1_000;
        expect(readDate(date.toUTCString(), now)).toBe(seconds);
      }),
    );
  });
});

describe('a year of two digits', () => {
  const century = (year: string, thisYear: number, month = 'Nov') =>
    read(`Monday, 30-${month}-${year} 12:00:00 GMT`, Date.UTC(thisYear, 10, 30, 12))?.slice(0, 4);

  it.each([
    ['26', 2026, '2026'],
    ['27', 2026, '2027'],
    ['00', 2026, '2000'],
    ['75', 2026, '2075'],
    ['77', 2026, '1977'],
    ['99', 2026, '1999'],
    ['00', 1999, '2000'],
    ['49', 1999, '2049'],
    ['50', 1999, '1950'],
    ['94', 1994, '1994'],
    ['00', 2099, '2100'],
    ['05', 2080, '2105'],
    ['30', 2080, '2130'],
    ['31', 2080, '2031'],
    ['99', 2100, '2099'],
  ])('%s means, in %d, the year %s', (year, thisYear, expected) => {
    expect(century(year, thisYear)).toBe(expected);
  });

  it('is of the century before from the instant on that is more than 50 years ahead', () => {
    const year76 = (time: string) => read(`Monday, 30-Nov-76 ${time} GMT`)?.slice(0, 4);
    expect(year76('12:00:00')).toBe('2076');
    expect(year76('12:00:01')).toBe('1976');
    expect(century('76', 2026, 'Oct')).toBe('2076');
    expect(century('76', 2026, 'Dec')).toBe('1976');
  });

  it('has a leap day in the century in which there is one', () => {
    expect(read('Tuesday, 29-Feb-00 12:00:00 GMT', Date.UTC(2060, 0, 1))).toBe(
      '2000-02-29T12:00:00.000Z',
    );
    expect(read('Monday, 29-Feb-27 12:00:00 GMT')).toBeUndefined();
  });

  it('means nothing where the time of now does', () => {
    expect(readDate('Monday, 30-Nov-26 12:00:00 GMT', NaN)).toBeUndefined();
  });
});

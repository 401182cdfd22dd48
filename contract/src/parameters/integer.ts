import { parameter } from './parameter.ts';

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** A whole number that has the same default everywhere. @param about  its meaning */
export function integer(range: Range, fallback: number, about: string) {
  return parameter('integer', {
    type: 'integer',
    ...range,
    default: fallback,
    description: `${about}; ${span(range)}, default ${fallback}`,
    examples: [String(fallback)],
  });
}

/** A whole number whose absence has a meaning of its own. */
export function integerOr(range: Range, otherwise: string) {
  return parameter('integer', {
    type: 'integer',
    ...range,
    description: `${span(range)}; ${otherwise}`,
    examples: [String(Math.min(10, range.maximum))],
  });
}

/** The part of a list that is answered. @param what  its entries @param length  unless another one is named */
export function pageParameters(what: string, length: number) {
  return {
    starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0, `${what} before the page`),
    nb_results: integer({ minimum: 1, maximum: 1000 }, length, 'length of the page'),
  };
}

/** 0 or 1; 0 where it is not sent. */
export function flag(about: string) {
  return integer({ minimum: 0, maximum: 1 }, 0, `1: ${about}`);
}

export function span({ minimum, maximum }: Range): string {
  return `${grouped(minimum)} to ${grouped(maximum)}`;
}

/** As `toLocaleString('en')`, which loads the data of all languages at each start. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** 0 or 1, whose absence has a meaning of its own or is refused. */
export function flagOr(about: string) {
  return parameter('integer', {
    type: 'integer',
    minimum: 0,
    maximum: 1,
    description: `0 or 1; ${about}`,
    examples: ['1'],
  });
}

/** Schemas that fields of many answers share. */
export const COUNT = { type: 'integer', minimum: 0 } as const;

export const TIME_OR_NULL = { type: 'string', format: 'date-time', nullable: true } as const;

/** A count for each of these names, and no other. */
export function countsBy(names: readonly string[]) {
  return {
    type: 'object' as const,
    required: [...names],
    selfRequired: true,
    properties: Object.fromEntries(names.map((name) => [name, COUNT])),
    additionalProperties: false,
  };
}

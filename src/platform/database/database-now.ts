/** The database's current UTC time, as a value for TypeORM's `insert` and `update`. */
export const databaseNow = (): string => 'UTC_TIMESTAMP(3)';

/** The current time in UTC by the database's clock, as a value of TypeORM's `insert` and `update`. */
export const databaseNow = (): string => 'UTC_TIMESTAMP(3)';

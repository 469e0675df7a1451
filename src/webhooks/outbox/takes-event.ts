/** SQL: whether an endpoint `e` takes a type of event, which is bound. */
export const TAKES_EVENT = 'e.disabled_at IS NULL AND e.deleted_at IS NULL AND FIND_IN_SET(?, e.events) > 0';

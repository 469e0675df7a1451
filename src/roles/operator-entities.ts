import { AccountEntity } from '../auth/account.entity.js';
import { ApiKeyEntity } from '../auth/api-key.entity.js';
import { PlanEntity } from '../auth/plan.entity.js';
import { PropertyEntity } from '../guard/properties/property.entity.js';
import { CONSOLE_ENTITIES } from '../console/console-entities.js';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { EndpointEntity } from '../webhooks/endpoints/endpoint.entity.js';

/** Entities that commands use through TypeORM's repositories. */
export const OPERATOR_ENTITIES = [
  PlanEntity,
  AccountEntity,
  ApiKeyEntity,
  PropertyEntity,
  AuditEntryEntity,
  EndpointEntity,
  ...CONSOLE_ENTITIES,
];

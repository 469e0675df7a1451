import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainFacts } from '../domain-facts.js';
import { readDomainFacts } from './facts-text.js';
import { NOW } from '../../platform/database/database-now.js';

/** A domain as a person looks at it. */
export interface DomainView {
  /** Null until it was crawled. */
  readonly facts: DomainFacts | null;
  readonly crawledAt: Date | null;
  /** A crawl is due or under way. */
  readonly isDue: boolean;
}

interface ViewRow {
  facts: unknown;
  crawled_at: Date | null;
  is_due: number | string | null;
}

/** Domains for the console: what is known of them, and how their crawl is. */
@Injectable()
export class DomainViewRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null: nobody asked for it before. */
  async find(domain: string): Promise<DomainView | null> {
    const [row] = await this.dataSource.sql<ViewRow[]>`
      SELECT facts, crawled_at, due_at <= ${() => NOW} AS is_due FROM domains WHERE domain = ${domain}`;
    if (row === undefined) return null;
    const { facts, crawled_at: crawledAt, is_due } = row;
    return { facts: readDomainFacts(domain, facts), crawledAt, isDue: Number(is_due ?? 0) === 1 };
  }
}

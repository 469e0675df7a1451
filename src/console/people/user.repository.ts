import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MembershipEntity } from './membership.entity.js';
import { UserEntity } from './user.entity.js';

/** Users and the accounts they are members of. */
@Injectable()
export class UserRepository {
  constructor(private readonly dataSource: DataSource) {}

  getById(id: string): Promise<UserEntity> {
    return this.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  }

  /** By the name of the account. */
  membershipsOf(userId: string): Promise<MembershipEntity[]> {
    return this.dataSource.getRepository(MembershipEntity).find({
      where: { userId },
      relations: { account: true },
      order: { account: { name: 'ASC', id: 'ASC' } },
    });
  }
}

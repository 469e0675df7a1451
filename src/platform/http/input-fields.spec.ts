import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { IsOptional, IsString } from 'class-validator';
import { declareInputFields } from './input-fields.js';

class EchoRequest {
  @IsString()
  email!: string;

  @IsOptional()
  @IsString()
  mode?: string;
}

@Controller()
class EchoController {
  @Post('echo')
  @RouteConfig({ bodyLimit: 5 })
  echo(@Body() body: EchoRequest): unknown {
    return body;
  }
}

@Controller()
class UntypedBody {
  @Post('untyped')
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Controller()
class TypedQuery {
  @Get('typed')
  list(@Query() query: EchoRequest): unknown {
    return query;
  }
}

@Controller()
class UntypedQuery {
  @Post('untyped')
  echo(@Query() query: Record<string, string>): unknown {
    return query;
  }
}

async function declared(controller: new () => object): Promise<void> {
  @Module({ controllers: [controller] })
  class TestModule {}
  const app = await NestFactory.createApplicationContext(TestModule, { logger: false });
  declareInputFields(app);
  await app.close();
}

it('a route reads the body fields that the class of its @Body() declares', async () => {
  await declared(EchoController);
  const { echo } = Object.getOwnPropertyDescriptors(EchoController.prototype);
  expect(Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, echo.value as object)).toEqual({
    bodyLimit: 5,
    bodyFields: ['email', 'mode'],
  });
});

it('a route reads the parameters of the query that the class of its @Query() declares', async () => {
  await declared(TypedQuery);
  const { list } = Object.getOwnPropertyDescriptors(TypedQuery.prototype);
  expect(Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, list.value as object)).toEqual({
    queryFields: ['email', 'mode'],
  });
});

it.each([UntypedBody, UntypedQuery])(
  '%p keeps the process from starting: nothing would validate its input',
  (controller) =>
    expect(declared(controller)).rejects.toThrow(`${controller.name}.echo has an input without a request class`),
);

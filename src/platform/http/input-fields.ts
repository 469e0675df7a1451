import type { INestApplicationContext, Type } from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { classFields } from '../validation/class-fields.js';

/** Nest uses numbers as metadata keys. */
const BODY: number = RouteParamtypes.BODY;
const QUERY: number = RouteParamtypes.QUERY;

/**
 * Tells which fields of the body and parameters of the query each route takes: those of its `@Body()` and `@Query()`
 * classes. Others are not read, and named in the answer. Call it before routes are declared.
 * @throws Error for a `@Body()` or `@Query()` declared with anything but a request class: nothing would validate it
 */
export function declareInputFields(app: INestApplicationContext): void {
  const scanner = new MetadataScanner();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      for (const name of scanner.getAllMethodNames(prototype)) declareRoute(metatype as Type, prototype, name);
    }
  }
}

function declareRoute(controller: Type, prototype: Record<string, object>, name: string): void {
  const handler = prototype[name]!;
  if (!Reflect.hasMetadata(METHOD_METADATA, handler)) return;
  for (const { kind, type } of inputsOf(controller, prototype, name)) {
    const fields = type === undefined ? [] : classFields(type).map((field) => field.name);
    if (fields.length === 0) throw new Error(`${controller.name}.${name} has an input without a request class`);
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
    const declared = kind === BODY ? { bodyFields: fields } : { queryFields: fields };
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, ...declared }, handler);
  }
}

/** The class of a handler's `@Body()`; undefined without one. */
export function bodyClassOf(controller: Type, name: string): Type | undefined {
  const inputs = inputsOf(controller, controller.prototype as object, name);
  return inputs.find(({ kind }) => kind === BODY)?.type;
}

/** The body and query parameters of a handler, each with its class. */
function inputsOf(controller: Type, prototype: object, name: string): { kind: number; type?: Type }[] {
  const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as Type[];
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number }
  >;
  return Object.entries(declared)
    .map(([key, { index }]) => ({ kind: Number(key.split(':')[0]), type: types[index]! }))
    .filter(({ kind }) => kind === BODY || kind === QUERY);
}

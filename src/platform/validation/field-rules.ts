import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { MaxCharacters } from './max-characters.js';

// Decorators apply from the bottom up, and faults are named in that order.

/** A text of at most so many characters. */
export const IsText = (most: number): PropertyDecorator => applyDecorators(MaxCharacters(most), IsString());

/**
 * A text that `parse` can read, which returns null for any other.
 * @param name of the rule
 * @param message what the text must be
 */
export const IsParsed = (name: string, parse: (text: string) => unknown, message: string): PropertyDecorator => {
  const validate = (value: unknown): boolean => typeof value === 'string' && parse(value) !== null;
  return applyDecorators(ValidateBy({ name, validator: { validate } }, { message }), IsString());
};

/** A whole number within these bounds. */
export const IsWhole = (least: number, most: number): PropertyDecorator =>
  applyDecorators(Max(most), Min(least), IsInt());

/** A list of at least one and at most so many. */
export const IsList = (most: number): PropertyDecorator =>
  applyDecorators(ArrayMaxSize(most), ArrayMinSize(1), IsArray());

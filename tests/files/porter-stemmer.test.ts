/** Stems: pairs from Porter's paper, and words that are left as they are. */
import assert from 'node:assert/strict';
import { stemOf } from '../../read-api/files/search/porter-stemmer';

const pairs =
  'caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit rational ration valenci valenc digitizer digit conformabli conform radicalli radic differentli differ vileli vile analogousli analog vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic formative form formalize formal electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend adoption adopt homologou homolog communism commun activate activ angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas controll control roll roll'.split(
    ' ',
  );

describe('the stemmer', () => {
  it('gives the stems of the paper', () => {
    const wrong: string[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [word = '', stem = ''] = pairs.slice(at, at + 2);
      if (stemOf(word) !== stem) wrong.push(`${word}: ${stemOf(word)}, not ${stem}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('leaves short words, numbers and other letters as they are', () => {
    for (const word of ['is', 'a', '2026', 'r2d2', 'straßen', '東京', '']) assert.equal(stemOf(word), word);
  });
});

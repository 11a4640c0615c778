// The parts of lodger.h that a binding needs: functions, structs with their offsets on wasm32, the values of the
// _INIT macros, and enumerators.

const SIZES = { uint8_t: 1, uint16_t: 2, int16_t: 2, uint32_t: 4, int32_t: 4, uint64_t: 8, float: 4, double: 8 };
const TYPES = { uint8_t: "u8", uint16_t: "u16", int16_t: "i16", uint32_t: "u32", uint64_t: "u64", float: "f32", double: "f64" };

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "");

/** lodger_policy and the like are numbers. */
function aliases(text) {
  return Object.fromEntries([...text.matchAll(/typedef (u?int\d+_t) (\w+);/g)].map(([, type, name]) => [name, type]));
}

function fieldsOf(body, known) {
  const fields = {};
  let [end, widest] = [0, 1];
  for (const declaration of body.split(";").map((line) => line.trim()).filter(Boolean)) {
    const [, type, names] = /^(?:const )?(\w+)\s+([\s\S]*)$/.exec(declaration);
    for (const declared of names.split(",").map((name) => name.trim())) {
      const [, star, name, count] = /^(\*?)(\w+)(?:\[(\d+)\])?$/.exec(declared);
      const plain = known[type] ?? type;
      const size = star === "*" ? 4 : SIZES[plain];
      end = Math.ceil(end / size) * size;
      fields[name] = [star === "*" ? "pointer" : TYPES[plain], end, Number(count ?? 1)];
      end += size * Number(count ?? 1);
      widest = Math.max(widest, size);
    }
  }
  return { bytes: Math.ceil(end / widest) * widest, fields };
}

export function readHeader(source) {
  const text = withoutComments(source).replaceAll("\\\n", " ");
  const known = aliases(text);
  const structs = [...text.matchAll(/typedef struct (\w+) \{([\s\S]*?)\} \1;/g)];
  const inits = [...text.matchAll(/#define (LODGER_\w+)_INIT \{(.*)\}/g)];
  const enumerators = [...text.matchAll(/(LODGER_\w+) = (\d+)/g)];
  return {
    functions: [...text.matchAll(/LODGER_API [\w *]*?\b(lodger_\w+)\(/g)].map(([, name]) => name),
    structs: Object.fromEntries(structs.map(([, name, body]) => [name, fieldsOf(body, known)])),
    inits: Object.fromEntries(inits.map(([, name, values]) => [name.toLowerCase(), values])),
    enumerators: Object.fromEntries(enumerators.map(([, name, value]) => [name, Number(value)])),
  };
}

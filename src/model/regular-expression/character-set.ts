/* The characters that one step of a regular expression takes. */

export interface CharacterSet {
  /** Equal for sets that were written alike. */
  readonly key: string;
  has(codePoint: number): boolean;
}

/** Inclusive code points, a Unicode property by its name, or everything but some parts. */
export type SetPart =
  | { readonly from: number; readonly to: number }
  | { readonly property: string }
  | { readonly except: readonly SetPart[] };

export const digits: readonly SetPart[] = ranges("09");
export const wordCharacters: readonly SetPart[] = ranges("09", "AZ", "__", "az");
export const spaces: readonly SetPart[] = ranges("\t\n", "\f\r", "  ");

export const posixClasses: ReadonlyMap<string, readonly SetPart[]> = new Map([
  ["alnum", ranges("09", "AZ", "az")],
  ["alpha", ranges("AZ", "az")],
  ["ascii", ranges("\u0000\u007f")],
  ["blank", ranges("\t\t", "  ")],
  ["cntrl", ranges("\u0000\u001f", "\u007f\u007f")],
  ["digit", digits],
  ["graph", ranges("!~")],
  ["lower", ranges("az")],
  ["print", ranges(" ~")],
  ["punct", ranges("!/", ":@", "[`", "{~")],
  ["space", ranges("\t\r", "  ")],
  ["upper", ranges("AZ")],
  ["word", wordCharacters],
  ["xdigit", ranges("09", "AF", "af")],
]);

function ranges(...pairs: readonly string[]): SetPart[] {
  return pairs.map((pair) => ({ from: pair.charCodeAt(0), to: pair.charCodeAt(1) }));
}

export interface SetOptions {
  readonly negated?: boolean;
  /** As `(?i)`: a character stands for all that it folds to. */
  readonly ignoresCase?: boolean;
}

export function characterSet(parts: readonly SetPart[], options: SetOptions = {}): CharacterSet {
  const { negated = false, ignoresCase = false } = options;
  const key = JSON.stringify([parts, negated, ignoresCase]);
  let test: CharacterTest | undefined;
  return {
    key,
    has(codePoint) {
      test ??= anyOf(parts, ignoresCase);
      return test(codePoint) !== negated;
    },
  };
}

type CharacterTest = (codePoint: number) => boolean;

function anyOf(parts: readonly SetPart[], ignoresCase: boolean): CharacterTest {
  const tests = parts.map((part) => partTest(part, ignoresCase));
  return (codePoint) => tests.some((test) => test(codePoint));
}

function partTest(part: SetPart, ignoresCase: boolean): CharacterTest {
  if ("except" in part) {
    // Folded first, then negated: (?i)\W does not take s because of its fellow ſ.
    const test = anyOf(part.except, ignoresCase);
    return (codePoint) => !test(codePoint);
  }
  if ("property" in part) return singleCharacterTest(propertyClass(part.property), ignoresCase);
  const { from, to } = part;
  if (!ignoresCase) return (codePoint) => codePoint >= from && codePoint <= to;
  return singleCharacterTest(`[\\u{${from.toString(16)}}-\\u{${to.toString(16)}}]`, true);
}

/** JavaScript's own expressions know Unicode's properties and foldings; on one character there is nothing to backtrack. */
function singleCharacterTest(source: string, ignoresCase: boolean): CharacterTest {
  const expression = new RegExp(`^${source}$`, ignoresCase ? "isu" : "su");
  return (codePoint) => expression.test(String.fromCodePoint(codePoint));
}

const categories = new Set(
  "Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split(
    " ",
  ),
);

/** The scripts of Unicode 14, the newest that the libraries of all proxies know. */
const scripts = new Set(
  `Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
  Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common
  Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs
  Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul
  Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi
  Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki
  Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean
  Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi
  Mongolian Mro Multani Myanmar Nabataean Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki
  Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur
  Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan
  Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac
  Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto
  Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square`.split(/\s+/),
);

export function isUnicodeProperty(name: string): boolean {
  return categories.has(name) || scripts.has(name);
}

function propertyClass(name: string): string {
  return scripts.has(name) ? `\\p{Script=${name}}` : `\\p{${name}}`;
}

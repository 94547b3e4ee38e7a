const CATEGORIES =
  "Cased_Letter=LC Close_Punctuation=Pe Connector_Punctuation=Pc Control=Cc Currency_Symbol=Sc Dash_Punctuation=Pd " +
  "Decimal_Number=Nd Enclosing_Mark=Me Final_Punctuation=Pf Format=Cf Initial_Punctuation=Pi Letter=L Letter_Number=Nl " +
  "Line_Separator=Zl Lowercase_Letter=Ll Mark=M Math_Symbol=Sm Modifier_Letter=Lm Modifier_Symbol=Sk Nonspacing_Mark=Mn " +
  "Number=N Open_Punctuation=Ps Other=C Other_Letter=Lo Other_Number=No Other_Punctuation=Po Other_Symbol=So " +
  "Paragraph_Separator=Zp Private_Use=Co Punctuation=P Separator=Z Space_Separator=Zs Spacing_Mark=Mc Symbol=S " +
  "Titlecase_Letter=Lt Unassigned=Cn Uppercase_Letter=Lu Digit=Nd Punct=P";

const BINARY =
  "ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Case_Ignorable Cased Dash Default_Ignorable_Code_Point " +
  "Deprecated Diacritic Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic " +
  "Extender Grapheme_Base Grapheme_Extend Hex_Digit ID_Continue IDC ID_Start IDS Ideographic Join_Control " +
  "Logical_Order_Exception Lowercase Lower Math Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark " +
  "Radical Regional_Indicator Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Uppercase Upper " +
  "Variation_Selector White_Space space XID_Continue XIDC XID_Start XIDS";

/** The inside of a JavaScript class for a Unicode property, by any of its usual spellings; `undefined` for an unknown one. */
export function unicodeProperty(name: string): string | undefined {
  const [first = "", second] = name.split("=");
  if (second !== undefined) {
    const property = loose(first);
    if (["gc", "generalcategory"].includes(property)) return category(second);
    if (["sc", "script"].includes(property)) return script("Script", second);
    if (["scx", "scriptextensions"].includes(property)) return script("Script_Extensions", second);
    return undefined;
  }
  return category(name) ?? binary(name) ?? script("Script", name);
}

function category(name: string): string | undefined {
  const wanted = loose(name);
  for (const pair of CATEGORIES.split(" ")) {
    const [long = "", short = ""] = pair.split("=");
    if (loose(long) === wanted || loose(short) === wanted) return `\\p{${short}}`;
  }
  return undefined;
}

function binary(name: string): string | undefined {
  const found = BINARY.split(" ").find((known) => loose(known) === loose(name));
  return found && `\\p{${found}}`;
}

// The engine knows the scripts: a name of letters alone is asked of it.
function script(property: string, name: string): string | undefined {
  const words = name.split(/[ _-]/);
  if (!words.every((word) => /^[A-Za-z]{1,40}$/.test(word)) || words.length > 5) return undefined;
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("_");
  const body = `\\p{${property}=${title}}`;
  try {
    new RegExp(body, "u");
    return body;
  } catch {
    return undefined;
  }
}

function loose(name: string): string {
  return name.toLowerCase().replace(/[ _-]/g, "");
}

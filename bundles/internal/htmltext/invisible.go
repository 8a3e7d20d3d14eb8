package htmltext

import (
	"unicode"

	"golang.org/x/text/unicode/rangetable"
)

// invisible holds the characters that draw no glyph. These are the categories
// Cc and Cf, Default_Ignorable_Code_Point of Unicode's
// DerivedCoreProperties.txt, the noncharacters, and symbols that are blank by
// design: the empty Braille pattern and the musical null notehead.
var invisible = rangetable.Merge(unicode.Cc, unicode.Cf, unicode.Noncharacter_Code_Point,
	unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, rangetable.New(0x2800, 0x1D159))

// emoji holds the characters that emoji sequences may contain. Its ranges are
// generous: a superfluous selector after an arrow hides nothing important.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: '#', Hi: '#', Stride: 1},
		{Lo: '*', Hi: '*', Stride: 1},
		{Lo: '0', Hi: '9', Stride: 1},
		{Lo: 0xA9, Hi: 0xA9, Stride: 1},
		{Lo: 0xAE, Hi: 0xAE, Stride: 1},
		{Lo: 0x203C, Hi: 0x203C, Stride: 1},
		{Lo: 0x2049, Hi: 0x2049, Stride: 1},
		{Lo: 0x2122, Hi: 0x2122, Stride: 1},
		{Lo: 0x2139, Hi: 0x2139, Stride: 1},
		{Lo: 0x2190, Hi: 0x21FF, Stride: 1},
		{Lo: 0x2300, Hi: 0x23FF, Stride: 1},
		{Lo: 0x24C2, Hi: 0x24C2, Stride: 1},
		{Lo: 0x25A0, Hi: 0x27BF, Stride: 1},
		{Lo: 0x2900, Hi: 0x297F, Stride: 1},
		{Lo: 0x2B00, Hi: 0x2BFF, Stride: 1},
		{Lo: 0x3030, Hi: 0x3030, Stride: 1},
		{Lo: 0x303D, Hi: 0x303D, Stride: 1},
		{Lo: 0x3297, Hi: 0x3297, Stride: 1},
		{Lo: 0x3299, Hi: 0x3299, Stride: 1},
	},
	R32:         []unicode.Range32{{Lo: 0x1F000, Hi: 0x1FAFF, Stride: 1}},
	LatinOffset: 5,
}

// joiningScripts are the scripts in which a joiner, or its absence, changes the
// spelling of a word.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese, unicode.Javanese,
}

// hanForms are the variation selectors that KOTA keeps after a Han character,
// because they choose a form of it. The first range is what
// StandardizedVariants.txt lists for Han characters. The second range is the
// first 48 supplementary selectors: the Ideographic Variation Database uses
// fewer. KOTA keeps no others, because the 256 selectors together could encode
// hidden bytes.
var hanForms = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0xFE00, Hi: 0xFE02, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xE0100, Hi: 0xE012F, Stride: 1}},
}

const (
	blackFlag = '\U0001F3F4'
	keycap    = "\u20E3" // encloses the digit before it
)

// flagTagSequences are the tags of England, Scotland and Wales: gbeng, gbsct, gbwls.
var flagTagSequences = [...]string{
	"\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
	"\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
	"\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",
}

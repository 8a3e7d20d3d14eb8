// Package untrusted marks what other people wrote wherever it is shown: by a
// provenance beside each item, by fences around what is long, and in the session
// that has seen it.
package untrusted

import (
	"context"
	"crypto/rand"
	"strings"

	"kota/bundles"
	"kota/bundles/internal/lazyregexp"
)

// A Provenance is a bundles.Provenance.
type Provenance = bundles.Provenance

// The sources of text.
const (
	Mail   = "mail"
	Event  = "event"
	Memory = "memory"
	Log    = "log" // what was written down of a day
)

// By returns the provenance of an item with text of strangers, which the answer
// of the call in ctx is about to show. The session knows from then on.
func By(ctx context.Context, source, sender string) *Provenance {
	bundles.MarkUntrusted(ctx)
	return &Provenance{Source: source, Trust: "stranger", Sender: sender}
}

// PartlyUntrusted is By for an item that is the user's own, and has or may have the words
// of others in it.
func PartlyUntrusted(ctx context.Context, source string) *Provenance {
	p := By(ctx, source, "")
	p.Trust = "mixed"
	return p
}

// A Fence is two lines that are the same, around what strangers wrote at
// length: "~k3x7qa". Nobody knows them before the answer is made.
type Fence string

// Size is the most that a fence adds to a text, in characters of JSON.
const Size = 2*(1+codeLength) + 2*len(`\n`)

const codeLength = 6

// New returns the fence of one answer. Code returns its code, of six letters
// and digits as base32 has them; nil draws 30 random bits.
func New(code func() string) Fence {
	if code == nil {
		code = random
	}
	return Fence("~" + code())
}

func random() string { return strings.ToLower(rand.Text()[:codeLength]) }

// alike is a line that could be taken for one of a fence's.
var alike = lazyregexp.Of(`(?mi)^([\pZ\pC>]*)(~[\pZ\pC]*[a-z2-7]{6}[\pZ\pC]*)$`)

// Around returns the text between the lines of the fence. A line of its own that
// looks like one of any fence gets a backslash. Nothing stays nothing.
func (f Fence) Around(text string) string {
	if text == "" {
		return ""
	}
	return string(f) + "\n" + alike().ReplaceAllString(text, `$1\$2`) + "\n" + string(f)
}

// Package untrusted marks content by other people. Wherever KOTA shows such
// content, each item has a provenance, long text stands between fences, and the
// session counts as tainted.
package untrusted

import (
	"context"
	"crypto/rand"
	"strings"

	"kota/bundles"
	"kota/bundles/internal/lazyregexp"
)

// Provenance is a bundles.Provenance.
type Provenance = bundles.Provenance

// The sources of text.
const (
	Mail   = "mail"
	Event  = "event"
	Memory = "memory"
	Log    = "log" // diary entries

	Contact = "contact" // a person whose name others chose
)

// Mark returns the provenance of an item with untrusted content in the answer of
// the call in ctx. It marks the session as tainted.
func Mark(ctx context.Context, source, sender string) *Provenance {
	bundles.MarkUntrusted(ctx)
	return &Provenance{Source: source, Trust: "stranger", Sender: sender}
}

// MarkPartly is Mark for an item of the user that contains, or may contain,
// text of others.
func MarkPartly(ctx context.Context, source string) *Provenance {
	p := Mark(ctx, source, "")
	p.Trust = "mixed"
	return p
}

// Fence is the line before and after long untrusted content: "~k3x7qa". Nobody
// knows it before the answer is made.
type Fence string

// FenceSize is what the two lines of a fence add to a text, in characters of
// JSON.
const FenceSize = 2*(1+codeLength) + 2*len(`\n`)

const codeLength = 6

// New returns the fence of one answer. code returns six letters and digits of
// base32; if it is nil, New takes 30 random bits.
func New(code func() string) Fence {
	if code == nil {
		code = random
	}
	return Fence("~" + code())
}

func random() string { return strings.ToLower(rand.Text()[:codeLength]) }

// fenceLike matches a line that looks like a fence.
var fenceLike = lazyregexp.New(`(?mi)^([\pZ\pC>]*)(~[\pZ\pC]*[a-z2-7]{6}[\pZ\pC]*)$`)

// Wrap returns the text between two lines of the fence. A line of the text
// that looks like any fence gets a backslash. An empty text stays empty.
func (f Fence) Wrap(text string) string {
	if text == "" {
		return ""
	}
	return string(f) + "\n" + fenceLike().ReplaceAllString(text, `$1\$2`) + "\n" + string(f)
}

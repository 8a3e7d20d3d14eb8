package lazyregexp_test

import (
	"testing"

	"kota/bundles/internal/lazyregexp"
)

func TestExpressionIsCompiledOnceOnFirstUse(t *testing.T) {
	broken := lazyregexp.New(`(`) // nothing happens yet
	word := lazyregexp.New(`^\w+$`)
	first, second := word(), word()
	if first != second || !word().MatchString("word") || word().MatchString("two words") {
		t.Error("the pattern is not what was asked for, or is compiled twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("what is no expression was compiled")
		}
	}()
	broken()
}

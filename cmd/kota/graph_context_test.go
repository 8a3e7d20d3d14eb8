package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// contextKeys are the keys of context values, by the file that sets them: the
// call, the tenant whose request it is, and that work runs in the background.
// Everything else is passed as an argument.
var contextKeys = map[string]string{
	"bundles/env.go":                    "envKey{}",
	"entrypoint/transport/principal.go": "principalKey{}",
	"store/postgres/idle.go":            "backgroundKey{}",   // the work is a hook, which writes like any other code
	"auth/grant.go":                     "oauth2.HTTPClient", // the library accepts its client in no other way
	"auth/issuer/browser.go":            "oauth2.HTTPClient", // likewise
}

func TestContextsCarryOnlyCallAndTenant(t *testing.T) {
	fset, found := token.NewFileSet(), 0
	err := filepath.WalkDir(moduleRoot, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != moduleRoot && (entry.Name() == "testdata" || entry.Name() == "storetest" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(moduleRoot, file)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || types.ExprString(call.Fun) != "context.WithValue" {
				return true
			}
			found++
			if key := types.ExprString(call.Args[1]); contextKeys[filepath.ToSlash(name)] != key {
				t.Errorf("%s puts a value into a context under %s: pass it as an argument", fset.Position(call.Pos()), key)
			}
			return true
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no place was found that puts a value into a context")
	}
}

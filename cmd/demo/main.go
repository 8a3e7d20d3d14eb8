// Command demo runs a guided tour of KOTA. An MCP client starts the real server
// on a temporary home. The demo shows the calls and their answers, or draws the
// pictures of the README. It changes none of the user's data.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	folder := flag.String("pictures", "", "write the pictures of the README into `FOLDER` instead")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: demo [-pictures FOLDER] PATH_OF_KOTA")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var err error
	if *folder != "" {
		err = pictures(ctx, flag.Arg(0), *folder)
	} else {
		err = tour(ctx, flag.Arg(0), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// tour writes the transcript of two runs of the server on one home. It returns
// an error if the server does not do what the tour describes.
func tour(ctx context.Context, binary string, out io.Writer) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "kota-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	g := &tourGuide{out: out, binary: binary, home: home}

	g.printf("Starting %s serve on a throw-away home, and saying hello as an MCP client does.", filepath.Base(binary))
	if err := g.connect(ctx); err != nil {
		return err
	}
	g.list(ctx)
	g.printf("A client need not carry all of these. It asks for what it wants to do,")
	g.call(ctx, "kota_discover_bundles", object{"query": "remember a preference", "limit": 2}, `"tool_name":"memory_set"`)
	g.printf("reads up on one action if the signature is not enough,")
	g.call(ctx, "kota_describe_bundle", object{"bundle": "memory", "actions": []string{"get"}, "include_examples": false}, `"inputSchema"`)
	g.printf("and calls it: directly,")
	g.call(ctx, "memory_set", object{"key": "coffee order", "value": "flat white, oat milk", "category": "preferences"}, `"created"`)
	g.printf("or through the entry point, when its listing does not show it.")
	g.call(ctx, "kota_entry_point", object{"bundle": "memory", "action": "set", "args": object{"key": "dentist", "value": object{"name": "Dr. Anna Vos", "phone": "555 0100"}, "category": "people"}}, `"created"`)
	g.printf("Now the server is stopped, and started again as if it were tomorrow.")
	if err := g.reconnect(ctx); err != nil {
		return err
	}
	g.call(ctx, "memory_get", object{"query": "what is my usual cofee order?"}, "flat white")
	g.printf("It was found, misspelt as it is. kota_read runs reads alone, so a client can allow it without asking:")
	g.call(ctx, "kota_read", object{"bundle": "memory", "action": "get", "args": object{"query": "dentist phone"}}, "555 0100")
	g.printf("A small mistake is repaired if the schema leaves no doubt,")
	g.call(ctx, "memory_set", object{"keey": "theme", "value": "dark"}, `"created"`)
	g.printf("and what does not fit is answered with what would.")
	g.call(ctx, "memory_set", object{"key": "theme", "value": "light", "importance": "huge"}, "VALIDATION_ERROR")
	if err := g.disconnect(); err != nil {
		return err
	}
	g.printf("To connect a client for real, copy %s to a folder on your PATH first. The second command lists the clients:", binary)
	fmt.Fprintf(g.out, "sudo install %s /usr/local/bin/\nkota install\nkota install claude-desktop\n", binary)
	return g.err
}

// object is a JSON object.
type object = map[string]any

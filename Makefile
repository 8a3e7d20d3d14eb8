# What there is to do here. `make help` lists it.
GO ?= go
BIN := bin/kota

.PHONY: help build demo test bench docs fuzz crash

help: ## list these targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

build: ## build bin/kota
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o $(BIN) ./cmd/kota
	@cp $(BIN) $(BIN).new && mv $(BIN).new $(BIN) # as the linker leaves it in the page cache, it would start a tenth slower

demo: build ## build bin/kota and play a guided tour on a throw-away home
	@$(GO) run ./cmd/demo $(BIN)

test: build ## run the tests a newcomer needs (under 3 minutes)
	$(GO) vet ./...
	$(GO) test ./...

BENCH ?= -large
bench: build ## measure speed, size and search; prints a table (12 minutes; BENCH= leaves the million out)
	$(GO) run ./cmd/bench -kota $(BIN) $(if $(KOTA_RETRIEVAL),-retrieval $(KOTA_RETRIEVAL)) $(BENCH)

docs: build ## regenerate docs/bundles.md from what the bundles declare
	./$(BIN) docs > docs/bundles.md

fuzz: ## fuzz every target for 20 seconds each
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime 20s $$pkg || exit 1; \
		done; \
	done

crash: ## kill -9 a writer and a server a hundred times and look for lost writes
	KOTA_CRASH_LOOPS=100 $(GO) test ./store ./cmd/kota -run Killed -count=1 -v -timeout 30m

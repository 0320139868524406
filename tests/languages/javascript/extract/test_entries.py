"""Test cases and routes."""

from __future__ import annotations

from codegps.language import Script
from codegps.languages.javascript import scripts
from tests.languages.javascript.extract.reading import entries
from tests.languages.sources import Tree


def test_cases_are_named_by_their_suites() -> None:
    source = """
        import { test, describe } from "vitest";
        describe("outer", () => {
            describe.skip(`inner`, function () {
                it("works", async () => {});
                it.only("alone", () => {});
                test.each([1, 2])("adds %i", (n) => {});
            });
            beforeEach(() => {});
            test("uses a fixture", { timeout: 1 }, () => {});
        });
        test("named", run);
        function run() {}
        suite("s", () => { specify("t", () => {}); });
    """
    assert entries(source) == [
        ("test", "outer > inner > works", "<anonymous1>.<anonymous1>.<anonymous1>"),
        ("test", "outer > inner > alone", "<anonymous1>.<anonymous1>.<anonymous2>"),
        ("test", "outer > inner > adds %i", "<anonymous1>.<anonymous1>.<anonymous3>"),
        ("test", "outer > uses a fixture", "<anonymous1>.<anonymous3>"),
        ("test", "named", "run"),
        ("test", "s > t", "<anonymous2>.<anonymous1>"),
    ]


def test_what_only_looks_like_a_case() -> None:
    assert entries("function test(name, f) {} test('x', () => {});") == []
    assert entries("it('has no body'); test(title, () => {});") == []


def test_routes_of_express_fastify_and_hono() -> None:
    source = """
        const express = require("express");
        const app = express();
        app.get("/users/:id", auth, (req, res) => {});
        app.post("/users", create);
        app.use("/x", mw);
        app.get("setting");
        const router = express.Router();
        router.delete("/y", handlers.remove);
        router.route("/chain").get(one).post((req, res) => {});
        axios.get("/not/a/route", config);
        client.get("/nor/this");
        const fastify = require("fastify")();
        fastify.route({ method: ["GET", "HEAD"], url: "/z", handler: async () => {} });
        fastify.get("/schema", { schema: {} }, async (req) => {});
        export async function plugin(server) { server.put("/p", function put() {}); }
        const hono = new Hono().get("/h", (c) => c.text("")).post("/i", (c) => {});
    """
    assert entries(source) == [
        ("route", "GET /users/:id", "<anonymous1>"),
        ("route", "POST /users", ""),
        ("route", "DELETE /y", ""),
        ("route", "GET /chain", ""),
        ("route", "POST /chain", "<anonymous2>"),
        ("route", "GET /z", "handler"),
        ("route", "HEAD /z", "handler"),
        ("route", "GET /schema", "<anonymous3>"),
        ("route", "PUT /p", "plugin.put"),
        ("route", "GET /h", "<anonymous4>"),
        ("route", "POST /i", "<anonymous5>"),
    ]


def test_routes_by_the_place_of_the_file() -> None:
    assert entries(
        "export async function GET(req) {} export const POST = handler; export function helper() {}",
        "web/app/(shop)/items/[id]/route.ts",
    ) == [("route", "GET /items/[id]", "GET"), ("route", "POST /items/[id]", "")]
    assert entries("export default function handler(req, res) {}", "src/pages/api/users/[id].ts") == [
        ("route", "ALL /api/users/[id]", "handler")
    ]
    assert entries("export default function Page() {}", "src/pages/index.tsx") == []


def test_routes_of_controllers() -> None:
    source = """
        @Controller("cats")
        export class CatsController {
            @Get() findAll() {}
            @Get(":id") findOne() {}
            @Post("/new") create() {}
            helper() {}
        }
        @Controller() class Root { @Get("x") x() {} }
        class Other { @Get() no() {} }
    """
    assert entries(source, "m.ts") == [
        ("route", "GET /cats", "CatsController.findAll"),
        ("route", "GET /cats/:id", "CatsController.findOne"),
        ("route", "POST /cats/new", "CatsController.create"),
        ("route", "GET /x", "Root.x"),
    ]


def test_commands_of_packages() -> None:
    tree = Tree(
        {
            "package.json": '{"name": "@org/top", "bin": "./src/main.js"}',
            "src/main.js": "",
            "packages/a/package.json": '{"bin": {"one": "bin/../one.js", "two": "../b/two.ts", "out": "../../../x"}}',
            "packages/a/one.js": "",
            "packages/b/package.json": '{"bin": [1], broken',
            "packages/b/two.ts": "",
        }
    )
    assert scripts(tree) == [
        Script("top", "./src/main.js"),
        Script("one", "./packages/a/one.js"),
        Script("two", "./packages/b/two.ts"),
    ]

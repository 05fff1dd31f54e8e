internal import Contract
internal import Web

/// The interface of `kith web` as an OpenAPI document: the methods, and the other routes.
public enum OpenAPI {
    /// - Parameter version: that of the service.
    public static func document(version: String) -> YAML {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Kith",
                "version": .text(version),
                "description": """
                Generated from the tables of methods and routes by `kith-dev contract-tables openapi`. \
                What the tables leave open is unrestricted here; docs/reference.md describes it. \
                HEAD is answered wherever GET is.
                """,
            ],
            "servers": [["url": "/", "description": "Your installation's page"]],
            "paths": .map(methodPaths + routePaths),
            "components": [
                "schemas": .map(PayloadRow.schemas),
                "responses": [
                    "problem": [
                        "description": "why not (RFC 9457)",
                        "content": [
                            "application/problem+json": ["schema": .reference("Problem")]
                        ],
                    ]
                ],
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "a device's token, or a service's",
                    ],
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": "__Host-kith",
                        "description": "a browser's; over HTTP it is called kith",
                    ],
                ],
            ],
        ]
    }

    private static let problem: YAML = ["$ref": "#/components/responses/problem"]

    private static let loggedIn: YAML = [["token": []], ["cookie": []]]

    // MARK: Methods

    private static var methodPaths: [YAML.Member] {
        Method.all.filter(\.isOpen).map { method in
            .init(key: "/api/\(method)", value: ["post": operation(method)])
        }
    }

    private static func operation(_ method: Method) -> YAML {
        let security: YAML =
            if !method.askers.contains(.user) { [] } else if !method.askers.contains(.guest) {
                loggedIn
            } else { [[:], ["token": []], ["cookie": []]] }
        return [
            "operationId": .text(method.name),
            "summary": .text(method.note),
            "security": security,
            "requestBody": [
                "required": .bool(method.needsFields),
                "content": ["application/json": ["schema": method.requestSchema]],
            ],
            "responses": [
                "200": [
                    "description": "done",
                    "content": ["application/json": ["schema": method.resultSchema]],
                ],
                "default": problem,
            ],
        ]
    }

    // MARK: Routes

    private static var routePaths: [YAML.Member] {
        var paths: [YAML.Member] = []
        for route in WebRoute.all where route.isDescribed {
            let verbs = route.verbs.filter { $0 != "HEAD" }.map { verb in
                YAML.Member(key: verb.lowercased(), value: operation(route))
            }
            paths.append(.init(key: route.path, value: .map(verbs)))
        }
        // A path has one entry, whatever number of rows.
        var merged: [YAML.Member] = []
        for path in paths {
            if let place = merged.firstIndex(where: { $0.key == path.key }),
                case .map(let one) = merged[place].value, case .map(let other) = path.value
            {
                merged[place] = .init(key: path.key, value: .map(one + other))
            } else {
                merged.append(path)
            }
        }
        return merged
    }

    private static func operation(_ route: WebRoute) -> YAML {
        var responses = route.answers.map { answer in
            let response: YAML = ["description": .text(answer.words)]
            return YAML.Member(
                key: "\(answer.status)",
                value: response.with(
                    "content",
                    answer.type.map { .map([.init(key: $0, value: [:])]) }))
        }
        responses.append(.init(key: "default", value: problem))
        let parameters = route.parameters.map { parameter -> YAML in
            let value: YAML = [
                "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
                "required": .bool(parameter.isRequired), "description": .text(parameter.words),
            ]
            return value.with(
                "schema",
                parameter.isList
                    ? ["type": "array", "items": ["type": "string"]] : ["type": "string"])
        }
        let security: YAML =
            switch route.access {
            case .anybody: []
            case .loggedIn: loggedIn
            case .either: [[:], ["token": []], ["cookie": []]]
            }
        let start: YAML = ["summary": .text(route.summary), "security": security]
        return start.with("parameters", parameters.isEmpty ? nil : .list(parameters))
            .with("requestBody", route.body.map(body)).with("responses", .map(responses))
    }

    private static func body(_ notation: String) -> YAML {
        let schema: YAML =
            if PayloadRow.names.contains(notation) {
                [
                    "anyOf": [
                        .reference(notation), ["type": "array", "items": .reference(notation)],
                    ]
                ]
            } else {
                Notation(notation)?.schema ?? [:]
            }
        return ["required": true, "content": ["application/json": ["schema": schema]]]
    }
}

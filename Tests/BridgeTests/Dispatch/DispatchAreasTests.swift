import JSON
import Settings
import Testing
import Tracking

@testable import Bridge

/// The file that defines who is called where.
struct DispatchAreasTests {
    private static let secret = "whsec_" + String(repeating: "A", count: 32)

    private func read(_ text: String) throws -> DispatchAreas {
        try DispatchAreas(geoJSON: Array(text.utf8), "areas.json")
    }

    private func feature(_ properties: String, _ geometry: String = "null") -> String {
        #"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
    }

    private func file(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    private static let square =
        #"{"type":"Polygon","coordinates":[[[14,46],[15,46],[15,47],[14,47],[14,46]]]}"#

    @Test func `Areas are checked in order, and one without a geometry covers the rest`() throws {
        let areas = try read(
            file(
                feature(#"{"number":"144","ways":[{"way":"mqtt"}]}"#),
                feature(
                    """
                    {"name":"valley","number":"113","ways":[{"way":"webhook",\
                    "url":"https://dispatch.example.org/kith","secret":"\(Self.secret)"},\
                    {"way":"command","run":["/bin/sh","-c","true"]},{"way":"mqtt"}]}
                    """, Self.square),
                feature(
                    #"{"name":"land","number":"112","ways":[{"way":"mqtt"}]}"#,
                    #"{"type":"MultiPolygon","coordinates":[[[[10,40],[20,40],[20,50],[10,50],[10,40]]]]}"#
                )))
        #expect(areas.area(at: try place(46.5, 14.5)).name == "valley")
        #expect(
            areas.area(at: try place(46.5, 14.5)).ways == [
                .webhook(url: "https://dispatch.example.org/kith", secret: Self.secret),
                .command(["/bin/sh", "-c", "true"]), .mqtt,
            ])
        #expect(areas.area(at: try place(46.5, 15.5)).number == "112")
        #expect(areas.area(at: try place(46.5, 25)).number == "144")
        #expect(areas.area(at: nil).name == "everywhere")
        #expect(try read(file()).elsewhere.number == "112")
    }

    @Test(arguments: [
        ("[", "is not JSON"), (#"{"type":"Feature"}"#, "FeatureCollection"),
        (#"{"number":"112"}"#, "`ways` must have at least one way"),
        (#"{"number":"112","ways":[]}"#, "`ways` must have at least one way"),
        (#"{"number":"ring","ways":[{"way":"mqtt"}]}"#, "telephone number"),
        (#"{"number":"112","ways":[{"way":"pigeon"}]}"#, "mqtt, webhook or command"),
        (#"{"number":"112","ways":[{"way":"mqtt"},{"way":"mqtt"}]}"#, "all different"),
        (#"{"number":"112","ways":[{"way":"webhook","url":"http://x.org/"}]}"#, "https://"),
        (#"{"number":"112","ways":[{"way":"webhook","url":"https://x.org/"}]}"#, "whsec_"),
        (#"{"number":"112","ways":[{"way":"command","run":["page"]}]}"#, "begins with a path"),
        (#"{"number":"112","ways":[{"way":"command","run":["/no/such"]}]}"#, "cannot be run"),
        (#"{"name":"","number":"112","ways":[{"way":"mqtt"}]}"#, "`name` must be a line"),
    ])
    func `An error is reported with its file`(text: String, reason: String) throws {
        let content = text.hasPrefix(#"{"n"#) ? file(feature(text)) : text
        let error = #expect(throws: SettingsError.self) { try read(content) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("areas.json") == true)
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[14,46]}"#, #"{"type":"Polygon","coordinates":[]}"#,
        #"{"type":"Polygon","coordinates":[[[14,46],[15,46],[14,46]]]}"#,
        #"{"type":"Polygon","coordinates":[[[14,46],[15,46],[15,47],[14,47]]]}"#,
        #"{"type":"Polygon","coordinates":[[[14,96],[15,46],[15,47],[14,96]]]}"#,
        #"{"type":"MultiPolygon","coordinates":[]}"#, "7",
    ])
    func `An invalid geometry is reported with its feature`(geometry: String) throws {
        let error = #expect(throws: SettingsError.self) {
            try read(file(feature(#"{"number":"112","ways":[{"way":"mqtt"}]}"#, geometry)))
        }
        #expect(error?.description.contains("feature 1") == true)
    }

    @Test func `Two features must not share a name or both lack a geometry`() throws {
        let elsewhere = feature(#"{"name":"a","number":"112","ways":[{"way":"mqtt"}]}"#)
        let error = #expect(throws: SettingsError.self) { try read(file(elsewhere, elsewhere)) }
        #expect(error?.reasons.count == 2)
    }
}

import Foundation
import TestSupport
import Testing

/// Places for the page tests: a library that is always open, a canteen with unreadable hours,
/// a kiosk that is open in the mornings.
enum PlacesOnPage {
    static let latitude = 46.0511
    static let longitude = 14.5051

    private static let file = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"node/1","properties":{"name":"Central Library","amenity":"library",
         "opening_hours":"24/7","addr:street":"Main Street","addr:housenumber":"1",
         "phone":"+386 1 234 567","website":"https://library.example.org/",
         "description":"Books for everybody."},
         "geometry":{"type":"Point","coordinates":[14.5051,46.0511]}},
        {"type":"Feature","id":"node/2","properties":{"name":"Canteen","amenity":"fast_food",
         "opening_hours":"when there is soup"},
         "geometry":{"type":"Point","coordinates":[14.5081,46.0511]}},
        {"type":"Feature","id":"node/3","properties":{"name":"Morning Kiosk","shop":"kiosk",
         "opening_hours":"Mo-Su 00:00-12:00"},
         "geometry":{"type":"Point","coordinates":[14.5111,46.0511]}}]}
        """

    /// Imports them, in the time zone UTC.
    ///
    /// - Returns: their ids, by name.
    static func bring(to site: Website, timeZone: String = "UTC") async throws -> [String: String] {
        let path = site.installation.directory + "/places.geojson"
        try Data(file.utf8).write(to: URL(filePath: path))
        try await site.installation.kith("place", "import", path, "--time-zone", timeZone)
        let found = try await site.installation.done("ann", "place.list")["places"].elements
        try #require(found.count == 3)
        return Dictionary(
            found.compactMap { place in
                guard let name = place["name"].text, let id = place["place"].text else {
                    return nil
                }
                return (name, id)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether nothing is wider than the screen.
    static let fits = "document.documentElement.scrollWidth <= window.innerWidth"
}

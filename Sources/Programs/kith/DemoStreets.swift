import Tracking

/// The routes of the demo's people, along real streets of Monaco, taken from OpenStreetMap (©
/// OpenStreetMap contributors, ODbL).
enum DemoStreets {
    static let home = casino[casino.count - 1]
    static let station = place(4_373_823, 741_958)

    /// Along the harbour and up to the casino, by car.
    static let casino = way(
        """
        4373577,742116 4373615,742120 4373636,742128 4373660,742141 4373685,742166 \
        4373692,742178 4373701,742203 4373712,742291 4373737,742418 4373745,742494 \
        4373775,742584 4373789,742651 4373798,742677 4373807,742689 4373816,742695 \
        4373828,742696 4373839,742691 4373848,742679 4373878,742628 4373935,742686 \
        4373942,742694 4373948,742713 4373969,742731
        """)

    /// Through La Condamine, by car.
    static let oldTown = way(
        """
        4373674,742116 4373636,742065 4373590,742010 4373528,741945 4373430,741964 \
        4373438,742064 4373492,742049
        """)

    /// From the Grimaldi Forum along the beach of Larvotto.
    static let beach = way(
        """
        4374315,743138 4374302,743163 4374285,743174 4374348,743240 4374363,743249 \
        4374380,743253 4374390,743254 4374428,743246 4374438,743250 4374503,743220 \
        4374540,743226 4374578,743255 4374611,743283 4374644,743331
        """)

    /// The promenade at Port Hercule.
    static let harbour = way(
        """
        4373688,742308 4373678,742225 4373673,742227 4373649,742208 4373627,742196 \
        4373610,742190 4373574,742184 4373554,742186 4373551,742188 4373551,742208 \
        4373549,742214 4373544,742218 4373483,742235 4373467,742244 4373446,742245 \
        4373361,742270 4373350,742276 4373338,742285 4373325,742300 4373315,742315 \
        4373307,742335 4373281,742346 4373276,742337 4373272,742334 4373268,742343 \
        4373255,742348 4373251,742348 4373248,742341
        """)

    /// The lanes of Monaco-Ville, from the palace on.
    static let rock = way(
        """
        4373123,742158 4373110,742236 4373108,742261 4373107,742278 4373110,742319 \
        4373109,742352 4373099,742354 4373085,742365 4373134,742490 4373140,742497 \
        4373151,742534 4373157,742549 4373115,742575 4373151,742631 4373195,742685
        """)

    /// Pairs of latitude and longitude in hundred-thousandths of a degree.
    private static func way(_ text: String) -> [Coordinate] {
        text.split(separator: " ").map { pair in
            let numbers = pair.split(separator: ",").compactMap { Int64($0) }
            precondition(numbers.count == 2, "a place has two coordinates")
            return place(numbers[0], numbers[1])
        }
    }

    private static func place(_ latitude: Int64, _ longitude: Int64) -> Coordinate {
        guard let place = Coordinate(latitudeE7: latitude * 100, longitudeE7: longitude * 100)
        else { preconditionFailure("the demo takes place on the map") }
        return place
    }
}

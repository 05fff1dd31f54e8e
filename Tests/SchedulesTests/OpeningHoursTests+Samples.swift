/// Opening hours, and their status at moments.
extension OpeningHoursTests {
    /// As mappers wrote them in Milan (OpenStreetMap, June 2026: food and health), with their
    /// status at some moments of a week in June.
    static let milan: [Sample] = [
        ("08:00 - 01:00", "Mo 07:59 closed, Mo 08:00 open, Tu 00:59 open, Tu 01:00 closed"),
        ("11:00-24:00", "Mo 10:59 closed, Mo 23:59 open, Tu 00:00 closed"),
        ("12:00-24:00", "Mo 11:59 closed, Su 12:00 open, Mo 00:00 closed"),
        ("21:00 - 2:00", "Mo 20:59 closed, Mo 21:00 open, Tu 01:59 open, Tu 02:00 closed"),
        (
            "Mo 07:30-15:00; Tu,Sa 06:30-15:00,18:15-23:00; We-Fr 07:30-15:00,18:15-23:00",
            "Mo 07:30 open, Mo 18:30 closed, Tu 06:45 open, Sa 22:59 open, We 06:45 closed, "
                + "Fr 15:00 closed, Fr 18:15 open, Su 12:00 closed"
        ),
        (
            "Mo,Th-Su 10:00-15:00,18:00-23:30; Tu-We 18:00-23:30",
            "Mo 14:59 open, Tu 12:00 closed, We 18:00 open, Su 23:29 open, Su 23:30 closed"
        ),
        (
            "Mo-Fr 10:00-15:00,18:00-02:00; Sa 16:00-02:00; Su 12:00-01:00",
            "Mo 00:30 open, Mo 01:00 closed, Mo 16:00 closed, Sa 01:59 open, Sa 10:00 closed, "
                + "Su 01:00 open, Su 02:00 closed, Su 12:00 open"
        ),
        (
            "Mo-Fr 11:30-15:00,19:30-24:00; Sa 19:30-00:30",
            "Fr 23:59 open, Sa 00:00 closed, Sa 12:00 closed, Su 00:29 open, Su 00:30 closed, "
                + "Su 20:00 closed"
        ),
        // The second rule replaces the first one, whatever the mapper meant.
        (
            "Mo-Fr 12:00-15:00; Mo-Sa 20:00-23:00",
            "Mo 13:00 closed, Mo 20:00 open, Sa 22:59 open, Su 20:00 closed"
        ),
        ("Mo-Sa 06:00-21:00; Su 07:00-21:00", "Sa 06:30 open, Su 06:30 closed, Su 07:00 open"),
        ("Mo-Sa 09:00-22:30", "Mo 09:00 open, Sa 22:30 closed, Su 12:00 closed"),
        ("Mo-Sa 11:30-15:30,18:00-24:00", "Sa 23:59 open, Su 00:00 closed, Mo 16:00 closed"),
        ("Mo-Su 07:30-24:00", "Mo 07:29 closed, Su 07:30 open, Mo 00:00 closed"),
        ("Mo-Su 11:50-23:00", "We 11:49 closed, We 11:50 open, We 23:00 closed"),
        ("Mo-Su 12:00-15:00,18:30-23:45", "Su 18:29 closed, Su 18:30 open, Su 23:45 closed"),
        ("Mo-Su 12:00-15:00,19:00-22:30", "Fr 14:59 open, Fr 15:00 closed, Fr 19:00 open"),
        ("Mo-Su 12:00-15:00,19:00-23:00", "Fr 11:59 closed, Fr 12:00 open, Fr 23:00 closed"),
        ("Mo-Su 12:00-15:00,19:00-24:00", "Fr 23:59 open, Sa 00:00 closed"),
        ("Mo-Su 12:00-15:30,19:00-00:30", "Mo 00:29 open, Mo 00:30 closed, Mo 15:29 open"),
        (
            "Mo-Th 11:30-15:30,19:00-23:30+, Fr 11:30-15:30,19:00-24:00+, "
                + "Sa 12:00-15:30,19:00-24:00+, Su 19:00-23:30+",
            "Mo 11:30 open, Mo 15:30 closed, Mo 23:29 open, Mo 23:30 unknown, Tu 02:00 unknown, "
                + "Tu 07:30 closed, Fr 23:45 open, Sa 00:00 unknown, Sa 12:00 open, Su 12:00 closed, "
                + "Su 19:00 open, Su 23:30 unknown"
        ),
        (
            "Mo-Th 12:00-14:30, 19:30-23:00; Fr 12:00-14:30, 19:30-23:30; "
                + "Sa-Su 12:30-15:00, 19:30-23:00",
            "Th 23:00 closed, Fr 23:00 open, Sa 12:00 closed, Sa 14:45 open, Mo 19:30 open"
        ),
        (
            "Su-Fr 18:00-02:00; Fr 12:00-02:00",
            "Fr 01:30 open, Fr 12:00 open, Th 12:00 closed, Sa 01:59 open, Sa 20:00 closed, "
                + "Su 01:00 closed, Mo 01:00 open"
        ),
        (
            "Tu-Fr 08:00-12:00, 13:00-19:00; Sa 08:30-19:00; Su 08:30-13:00",
            "Mo 10:00 closed, Tu 12:30 closed, Tu 13:00 open, Sa 12:30 open, Su 13:00 closed"
        ),
        ("Tu-Su 07:00-23:00; Mo 07:00-18:00", "Mo 18:00 closed, Tu 18:00 open, Su 22:59 open"),
        ("Tu-Su 17:00-02:00", "Mo 01:59 open, Mo 02:00 closed, Mo 20:00 closed, Tu 01:00 closed"),
        (
            "Tu-Th 08:00-23:30; Fr 08:00-01:30; Sa 10:00-01:30; Su 10:00-22:00",
            "Mo 12:00 closed, Sa 01:00 open, Sa 09:00 closed, Su 01:29 open, Su 22:00 closed"
        ),
        ("24/7", "Mo 00:00 open, We 03:00 open, Su 23:59 open"),
        ("Mo-Fr 08:30-18:30", "Mo 08:29 closed, Fr 18:29 open, Sa 12:00 closed"),
        (
            "Mo-Fr 08:30-21:30; Sa 09:00-21:30; Su 09:30-20:00",
            "Sa 08:45 closed, Sa 09:00 open, Su 20:00 closed, Fr 08:30 open"
        ),
        (
            "Mo-Fr 09:00-19:30; Sa 09:00-13:00,15:00-19:00",
            "Fr 14:00 open, Sa 14:00 closed, Sa 18:59 open, Su 10:00 closed"
        ),
        (
            "Tu-Fr 09:29-19:00; Mo 14:30-19:00; Sa 09:30-12:30",
            "Tu 09:28 closed, Tu 09:29 open, Mo 14:29 closed, Mo 14:30 open, Sa 12:30 closed"
        ),
    ]

    static let grammar: [Sample] = [
        // Days.
        ("Mo-Su 09:00-17:00", "Mo 09:00 open"),
        ("Fr-Mo 10:00-12:00", "Su 11:00 open, Tu 11:00 closed"),
        ("sa,SU 10:00-12:00", "Sa 11:00 open, Fr 11:00 closed"),
        ("Mo", "Mo 00:00 open, Tu 00:00 closed"),
        ("Mo-Fr: 10:00-12:00", "Mo 11:00 open"), ("Mo , We 10:00-12:00", "We 11:00 open"),
        ("Mo-Mo 10:00-12:00", "Mo 11:00 open, Tu 11:00 closed"),
        ("Mo–Fr 10:00–12:00;", "Fr 11:00 open, Sa 11:00 closed"),
        // 2026-06-01 is the first Monday, the 7th the first Sunday.
        ("Mo[1] 10:00-12:00", "Mo 11:00 open"), ("Mo[2,3] 10:00-12:00", "Mo 11:00 closed"),
        ("Su[1-2] 10:00-12:00", "Su 11:00 open"), ("Mo[-5] 10:00-12:00", "Mo 11:00 open"),
        ("Mo[-1],Tu 10:00-12:00", "Mo 11:00 closed, Tu 11:00 open"),
        // Times.
        ("00:00-24:00", "Mo 00:00 open, Su 23:59 open"), ("00:00-00:00", "Mo 00:00 open"),
        ("Sa 18:00-26:00", "Su 01:59 open, Su 02:00 closed"),
        ("Sa 12:00-36:00", "Su 11:59 open, Su 12:00 closed"),
        ("Sa 24:00-02:00", "Su 01:00 open, Sa 01:00 closed"),
        ("open", "Mo 12:00 open"), ("off", "Mo 12:00 closed"), ("24/7 closed", "Mo 12:00 closed"),
        ("24/7; We off", "Tu 23:59 open, We 00:00 closed, Th 00:00 open"),
        // Open ends.
        ("19:00+", "Mo 18:59 closed, Mo 19:00 unknown, Tu 04:59 unknown, Tu 05:00 closed"),
        ("10:00+", "Mo 10:00 unknown, Mo 23:59 unknown, Tu 00:00 closed"),
        ("Mo 22:30+", "Tu 06:29 unknown, Tu 06:30 closed"),
        ("Mo 12:00-14:00+,19:00-22:00", "Mo 15:00 unknown, Mo 20:00 open, Mo 22:00 closed"),
        // Comments, and what is known to be unknown.
        ("\"by appointment\"", "Mo 12:00 unknown"),
        ("Mo 10:00-12:00 \"by appointment; call\"", "Mo 11:00 unknown, Mo 13:00 closed"),
        ("Mo 10:00-12:00 open \"ring\"", "Mo 11:00 open"), ("Mo off \"ill\"", "Mo 11:00 closed"),
        ("Mo-Fr 10:00-18:00; Tu unknown", "Mo 11:00 open, Tu 03:00 unknown"),
        (
            "Mo-Fr 10:00-18:00 open, 12:00-13:00 unknown",
            "Mo 11:00 open, Mo 12:00 unknown, Mo 13:00 open"
        ),
        // Holidays are not known.
        ("Mo-Fr 10:00-18:00; PH off", "Mo 11:00 open"),
        ("Mo-Fr,PH 10:00-18:00; SH,PH off", "Mo 11:00 open, Sa 11:00 closed"),
        ("PH,Sa 10:00-18:00", "Mo 11:00 closed, Sa 11:00 open"),
        ("Mo-Fr 10:00-18:00; SH Mo-Fr 12:00-13:00; PH -1 day 10:00-12:00", "Mo 17:00 open"),
        // Rules.
        ("08:00-18:00; We 10:00-12:00", "We 09:00 closed, We 11:00 open, Th 09:00 open"),
        ("We 10:00-12:00; 08:00-18:00", "We 09:00 open"),
        ("08:00-18:00, We 20:00-22:00", "We 09:00 open, We 21:00 open, Th 21:00 closed"),
        ("08:00-18:00; We off, We 20:00-22:00", "We 09:00 closed, We 21:00 open"),
        ("08:00-18:00; 12:00-13:00 off", "Mo 11:59 open, Mo 12:00 closed, Mo 13:00 open"),
        ("08:00-18:00 open, 12:00-13:00 off", "Mo 11:59 open, Mo 12:00 closed, Mo 13:00 open"),
        ("Mo-Fr 08:00-18:00; We 12:00+ off", "We 11:59 open, We 12:00 closed, Th 12:00 open"),
        // Past midnight: a rule replaces what began on its days.
        ("Fr 18:00-02:00; Sa off", "Fr 20:00 open, Sa 01:00 open, Sa 02:00 closed"),
        ("18:00-02:00; Fr off", "Fr 01:00 open, Fr 20:00 closed, Sa 01:00 closed, Sa 18:00 open"),
        ("18:00-02:00; Fr 10:00-12:00", "Fr 01:00 open, Fr 20:00 closed, Sa 01:00 closed"),
        (
            "18:00-02:00, Fr 10:00-12:00",
            "Fr 01:00 open, Fr 11:00 open, Fr 20:00 open, Sa 01:00 open"
        ),
        ("18:00-02:00; Fr open", "Fr 12:00 open, Sa 01:00 closed"),
        ("18:00-02:00, Fr open", "Fr 12:00 open, Sa 01:00 open"),
        ("18:00-02:00; Sa 00:00-01:00 off", "Sa 00:30 closed, Sa 01:00 open, Su 00:30 open"),
        (
            "24/7; Fr 23:00-03:00 off",
            "Fr 22:59 open, Fr 23:00 closed, Sa 02:59 closed, Sa 03:00 open"
        ),
        ("Fr 20:00+; Sa 01:00-02:00", "Sa 00:30 unknown, Sa 01:30 open, Sa 02:30 unknown"),
    ]
}

//! Pictures as SVG: points, lines and bars, with error bars and logarithmic axes.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::stats::{Interval, Tally};

/// A picture to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Above the picture.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, in order.
    pub series: Vec<Series>,
    /// Names instead of numbers along the horizontal axis, at 0, 1, 2, …
    pub names: Vec<String>,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Beside it.
    pub label: String,
    /// Powers of ten instead of equal steps; values must be positive.
    pub log: bool,
    /// The ends; without them the data decide.
    pub range: Option<(f64, f64)>,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend; empty for none.
    pub name: String,
    /// How they are drawn.
    pub style: Style,
    /// In order.
    pub points: Vec<Point>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Dots.
    Dots,
    /// Open circles: somebody else's values.
    Rings,
    /// A line.
    Line,
    /// A line with dots.
    LineDots,
    /// Bars from the horizontal axis.
    Bars,
}

/// A point with its 95 % interval, which need not be symmetric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The ends of its interval; both at `y` for none.
    pub interval: Interval,
}

impl Point {
    /// Without an interval.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: Interval { low: y, high: y } }
    }

    /// A score in per cent with its Wilson interval: what the tables print. Only a share of the
    /// games is evidence where some repeat others.
    pub fn score(x: f64, tally: &Tally, share: f64) -> Self {
        let Interval { low, high } = tally.wilson_of(share);
        let interval = Interval { low: 100.0 * low, high: 100.0 * high };
        Self { x, y: 100.0 * tally.score(), interval }
    }

    /// With so much error to both sides.
    pub const fn with_error(x: f64, y: f64, error: f64) -> Self {
        Self { x, y, interval: Interval { low: y - error, high: y + error } }
    }
}

const SIZE: (u32, u32) = (760, 470);
/// Colours that stay apart for most colour-blind people (Okabe & Ito 2008).
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(70, 70, 70),
];
const GRID: RGBColor = RGBColor(225, 225, 225);
/// Around the picture, and room at its right for the legend.
const MARGIN: u32 = 14;
const LEGEND: u32 = 150;
/// From this many names on, they stand upright.
const UPRIGHT_NAMES: usize = 9;
/// Ticks along an axis, about.
const TICKS: f64 = 10.0;
/// Ticks along an axis of whole numbers, at most.
const MAX_WHOLE_TICKS: f64 = 24.0;

impl Chart {
    /// The picture. Without any finite point it says so.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            // Drawing into a string fails only for coordinates that are not numbers; those points
            // were left out, and a picture that still fails stays empty.
            let _ = root.fill(&WHITE);
            if self.extent().is_none() {
                let style = ("sans-serif", 18).into_font();
                let _ = root.draw_text("no data yet", &style.into(), (SIZE.0 as i32 / 2 - 50, 220));
            } else {
                let _ = self.draw(&root);
            }
            let _ = root.present();
        }
        svg
    }

    /// The points that can be drawn, on the scale of the axes.
    fn points<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = Point> + Clone + 'a {
        series.points.iter().filter_map(|point| {
            let (x, y) = (self.x.scaled(point.x)?, self.y.scaled(point.y)?);
            Some(if self.y.log { Point::new(x, y) } else { Point { x, y, ..*point } })
        })
    }

    /// Left, right, bottom and top, with some air.
    fn extent(&self) -> Option<[f64; 4]> {
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for series in &self.series {
            for Point { x, y, interval } in self.points(series) {
                let foot = if series.style == Style::Bars { 0.0 } else { y };
                ends[0] = ends[0].min(x);
                ends[1] = ends[1].max(x);
                ends[2] = ends[2].min(interval.low).min(foot);
                ends[3] = ends[3].max(interval.high).max(foot);
            }
        }
        if !ends.iter().all(|end| end.is_finite()) {
            return None;
        }
        let air = |low: f64, high: f64, part: f64| {
            let width = if high > low { high - low } else { 1.0 };
            (low - part * width, high + part * width)
        };
        let (left, right) = if self.names.is_empty() {
            air(ends[0], ends[1], 0.05)
        } else {
            (-0.6, self.names.len() as f64 - 0.4)
        };
        let (bottom, top) = air(ends[2], ends[3], 0.06);
        let set = |axis: &Axis, low, high| axis.scaled_range().unwrap_or((low, high));
        let ((left, right), (bottom, top)) = (set(&self.x, left, right), set(&self.y, bottom, top));
        Some([left, right, bottom, top])
    }

    fn draw(&self, root: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError> {
        let Some([left, right, bottom, top]) = self.extent() else { return Ok(()) };
        let has_legend = self.series.iter().any(|series| !series.name.is_empty());
        let upright = self.names.len() >= UPRIGHT_NAMES;
        let mut builder = ChartBuilder::on(root);
        builder
            .margin(MARGIN)
            .margin_right(if has_legend { LEGEND } else { MARGIN })
            .caption(&self.title, ("sans-serif", 18))
            .x_label_area_size(match self.names.len() {
                0 => 46,
                _ if upright => self.name_room(),
                _ => 62,
            })
            .y_label_area_size(68);
        let x_ticks = match self.names.len() {
            0 => self.x.ticks(left, right, self.is_whole()),
            names => (0..names).map(|place| place as f64).collect(),
        };
        let y_ticks = self.y.ticks(bottom, top, false);
        let mut context = builder.build_cartesian_2d(
            Ticked { range: (left..right).into(), ticks: x_ticks },
            Ticked { range: (bottom..top).into(), ticks: y_ticks },
        )?;
        let name_at = |x: &f64| {
            let nearest = x.round();
            let index = nearest as usize;
            let close = (x - nearest).abs() < 1e-6 && nearest >= 0.0;
            self.names.get(index).filter(|_| close).cloned().unwrap_or_default()
        };
        let x_text = |x: &f64| match self.names.is_empty() {
            true => self.x.text(*x),
            false if upright => String::new(),
            false => name_at(x),
        };
        let y_text = |y: &f64| self.y.text(*y);
        let mut mesh = context.configure_mesh();
        mesh.x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .x_label_formatter(&x_text)
            .y_label_formatter(&y_text);
        if !self.names.is_empty() {
            mesh.disable_x_mesh();
        }
        mesh.draw()?;
        for (index, series) in self.series.iter().enumerate() {
            self.draw_series(&mut context, series, colour(index))?;
        }
        if upright {
            let font = ("sans-serif", 12).into_font().transform(FontTransform::Rotate270);
            let style = TextStyle::from(font).pos(Pos::new(HPos::Right, VPos::Center));
            for (index, name) in self.names.iter().enumerate() {
                let (x, y) = context.backend_coord(&(index as f64, bottom));
                root.draw(&Text::new(name.clone(), (x, y + 8), style.clone()))?;
            }
        }
        if has_legend { self.draw_legend(root) } else { Ok(()) }
    }

    /// Pixels below the picture that the longest upright name needs.
    fn name_room(&self) -> u32 {
        const LETTER: f64 = 6.4;
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        ((longest as f64 * LETTER) as u32 + 20).min(SIZE.1 / 2)
    }

    /// The names of the series, beside the picture where they hide nothing.
    fn draw_legend(&self, root: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError> {
        const LINE: i32 = 20;
        let left = (SIZE.0 - LEGEND) as i32 + 10;
        let mut y = MARGIN as i32 + LINE;
        let style = TextStyle::from(("sans-serif", 13).into_font());
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        for (index, series) in self.series.iter().enumerate() {
            if series.name.is_empty() {
                continue;
            }
            let ink = ShapeStyle::from(colour(index)).stroke_width(2);
            let middle = (left + 10, y);
            match series.style {
                Style::Dots | Style::Bars => {
                    root.draw(&Circle::new(middle, 4, colour(index).filled()))?;
                }
                Style::Rings => root.draw(&Circle::new(middle, 5, ink))?,
                Style::Line | Style::LineDots => {
                    root.draw(&PathElement::new([(left, y), (left + 20, y)], ink))?;
                }
            }
            root.draw(&Text::new(series.name.clone(), (left + 28, y), style.clone()))?;
            y += LINE;
        }
        Ok(())
    }

    /// Whether everything drawn as points stands at whole numbers: plies, discs of lookahead.
    fn is_whole(&self) -> bool {
        let marked = self.series.iter().filter(|series| series.style != Style::Line);
        !self.x.log && marked.flat_map(|series| &series.points).all(|point| point.x.fract() == 0.0)
    }

    fn draw_series(
        &self,
        context: &mut Context<'_>,
        series: &Series,
        colour: RGBColor,
    ) -> Result<(), DrawError> {
        let points = self.points(series);
        let at = points.clone().map(|point| (point.x, point.y));
        let ink = ShapeStyle::from(colour).stroke_width(2);
        let intervals = points.clone().filter(|point| point.interval.low < point.interval.high);
        let whisker = if series.style == Style::Bars { BLACK } else { colour };
        match series.style {
            Style::Dots => context.draw_series(at.map(|p| Circle::new(p, 4, colour.filled())))?,
            Style::Rings => context.draw_series(at.map(|p| Circle::new(p, 6, ink)))?,
            Style::Line => context.draw_series(LineSeries::new(at, ink))?,
            Style::LineDots => {
                context.draw_series(at.clone().map(|p| Circle::new(p, 4, colour.filled())))?;
                context.draw_series(LineSeries::new(at, ink))?
            }
            Style::Bars => context.draw_series(at.map(|(x, y)| {
                Rectangle::new([(x - 0.32, 0.0), (x + 0.32, y)], colour.mix(0.75).filled())
            }))?,
        };
        context.draw_series(intervals.map(|Point { x, interval, .. }| {
            let ends = [(x, interval.low), (x, interval.high)];
            PathElement::new(ends, ShapeStyle::from(whisker).stroke_width(1))
        }))?;
        Ok(())
    }
}

const fn colour(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

/// All multiples of a step between two numbers.
fn multiples(step: f64, low: f64, high: f64) -> Vec<f64> {
    // A hair's breadth more, since 0.3 / 0.1 is not 3.
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// Numbers along an axis with ticks of our own.
struct Ticked {
    range: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        self.range.map(value, pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.range()
    }
}

type Numbers = Cartesian2d<Ticked, Ticked>;
type Context<'a> = ChartContext<'a, SVGBackend<'a>, Numbers>;
type DrawError = DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>;

impl Axis {
    /// An axis of equal steps.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    fn scaled(&self, value: f64) -> Option<f64> {
        let scaled = if self.log { value.log10() } else { value };
        scaled.is_finite().then_some(scaled)
    }

    fn scaled_range(&self) -> Option<(f64, f64)> {
        let (low, high) = self.range?;
        Some((self.scaled(low)?, self.scaled(high)?))
    }

    /// Round numbers between two places of the axis: 1, 2, 5 times a power of ten.
    fn ticks(&self, low: f64, high: f64, whole: bool) -> Vec<f64> {
        if self.log {
            let powers = multiples(1.0, low.floor(), high);
            let digits: &[f64] = if powers.len() > 4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let all = powers.iter().flat_map(|power| digits.iter().map(move |d| power + d.log10()));
            return all.filter(|tick| (low..=high).contains(tick)).collect();
        }
        if whole && high - low <= MAX_WHOLE_TICKS {
            return multiples(1.0, low, high);
        }
        let power = 10_f64.powf(((high - low) / TICKS).log10().floor());
        let step = [1.0, 2.0, 5.0].map(|digit| digit * power);
        let step = step.into_iter().find(|step| (high - low) / step <= TICKS);
        multiples(step.unwrap_or(10.0 * power), low, high)
    }

    /// The number at a tick.
    fn text(&self, at: f64) -> String {
        let value = if self.log { 10_f64.powf(at) } else { at };
        let size = value.abs();
        if size < 1e-12 {
            "0".to_owned()
        } else if size >= 1e6 {
            format!("{value:.0e}")
        } else if size >= 100.0 || (size >= 1.0 && (value - value.round()).abs() < 1e-9) {
            format!("{value:.0}")
        } else if size > 0.0009 {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            format!("{value:.0e}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let points = vec![Point::with_error(1.0, 2.0, 0.5), Point::new(2.0, 3.0)];
        let series = |style| Series { name: format!("{style:?}"), style, points: points.clone() };
        Chart {
            title: "Title <&>".to_owned(),
            x: Axis::new("along"),
            y: Axis::new("up"),
            series: [Style::Dots, Style::Rings, Style::Line, Style::LineDots, Style::Bars]
                .map(series)
                .into(),
            names: Vec::new(),
        }
    }

    #[test]
    fn a_picture_has_its_words_and_shapes() {
        let svg = chart().svg();
        for part in
            ["<svg", "Title &lt;&amp;&gt;", "along", "Rings", "<circle", "<polyline", "</svg>"]
        {
            assert!(svg.contains(part), "{part} is missing in {svg}");
        }
    }

    #[test]
    fn whiskers_of_scores_end_at_0_and_100() {
        let perfect = Tally { wins: 20, draws: 0, losses: 0 };
        let point = Point::score(0.0, &perfect, 1.0);
        assert!((point.interval.high - 100.0).abs() < 1e-9, "{point:?}");
        // Wilson for 20 of 20 is 0.8389.
        assert!((point.interval.low - 83.89).abs() < 0.01, "{point:?}");
        let lost = Point::score(0.0, &perfect.reversed(), 1.0);
        assert!(lost.interval.low.abs() < 1e-9 && lost.interval.high < 16.2);
    }

    #[test]
    fn numbers_that_are_none_are_left_out() {
        let mut chart = chart();
        chart.series[0].points.push(Point::new(f64::NAN, f64::INFINITY));
        chart.y.log = true;
        chart.series[1].points.push(Point::new(1.0, -1.0));
        let svg = chart.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(Chart::default().svg().contains("no data yet"));
    }

    #[test]
    fn ticks_are_short() {
        let log = Axis { log: true, ..Axis::default() };
        assert_eq!(log.text(-3.0), "0.001");
        assert_eq!(log.text(-4.0), "1e-4");
        assert_eq!(log.text(2.0), "100");
        assert_eq!(Axis::default().text(0.25), "0.25");
        assert_eq!(Axis::default().text(-1.0), "-1");
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::default();
        let texts = |axis: &Axis, low, high, whole| -> Vec<String> {
            axis.ticks(low, high, whole).into_iter().map(|tick| axis.text(tick)).collect()
        };
        assert_eq!(texts(&axis, -3.0, 103.0, false), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(&axis, 0.0, 0.52, false), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(texts(&axis, 0.8, 5.2, true), ["1", "2", "3", "4", "5"]);
        let log = Axis { log: true, ..axis };
        assert_eq!(texts(&log, 0.9, 2.3, false), ["10", "20", "50", "100"]);
        assert_eq!(texts(&log, -3.1, 1.2, false), ["0.001", "0.01", "0.1", "1", "10"]);
    }
}

//! Pictures as SVG: points, lines and bars, with error bars and logarithmic axes.

use plotters::coord::Shift;
use plotters::prelude::*;

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

/// A point with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Half the width of its interval, 0 for none.
    pub error: f64,
}

impl Point {
    /// Without an interval.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, error: 0.0 }
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

impl Chart {
    /// The picture. Without any finite point it says so.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            // Drawing into a string fails only for coordinates that are no numbers; those points
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
            Some(Point { x, y, error: if self.y.log { 0.0 } else { point.error } })
        })
    }

    /// Left, right, bottom and top, with some air.
    fn extent(&self) -> Option<[f64; 4]> {
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for series in &self.series {
            for Point { x, y, error } in self.points(series) {
                let foot = if series.style == Style::Bars { 0.0 } else { y };
                ends[0] = ends[0].min(x);
                ends[1] = ends[1].max(x);
                ends[2] = ends[2].min(y - error).min(foot);
                ends[3] = ends[3].max(y + error).max(foot);
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
        let mut builder = ChartBuilder::on(root);
        builder
            .margin(14)
            .caption(&self.title, ("sans-serif", 18))
            .x_label_area_size(if self.names.is_empty() { 46 } else { 62 })
            .y_label_area_size(68);
        let mut context = builder.build_cartesian_2d(left..right, bottom..top)?;
        let name_at = |x: &f64| {
            let nearest = x.round();
            let index = nearest as usize;
            let close = (x - nearest).abs() < 1e-6 && nearest >= 0.0;
            self.names.get(index).filter(|_| close).cloned().unwrap_or_default()
        };
        let x_text = |x: &f64| if self.names.is_empty() { self.x.text(*x) } else { name_at(x) };
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
            mesh.disable_x_mesh().x_labels(2 * self.names.len() + 1);
        }
        mesh.draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let colour = PALETTE[index % PALETTE.len()];
            self.draw_series(&mut context, series, colour)?;
        }
        if self.series.iter().any(|series| !series.name.is_empty()) {
            context
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.85))
                .border_style(GRID)
                .label_font(("sans-serif", 13))
                .draw()?;
        }
        Ok(())
    }

    fn draw_series<'a>(
        &self,
        context: &mut Context<'a>,
        series: &Series,
        colour: RGBColor,
    ) -> Result<(), DrawError> {
        let points = self.points(series);
        let at = points.clone().map(|point| (point.x, point.y));
        let ink = ShapeStyle::from(colour).stroke_width(2);
        let intervals = points.clone().filter(|point| point.error > 0.0);
        let whisker = if series.style == Style::Bars { BLACK } else { colour };
        let named = match series.style {
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
        if !series.name.is_empty() {
            let style = series.style;
            named.label(&series.name).legend(move |(x, y)| {
                let middle = (x + 10, y);
                match style {
                    Style::Dots | Style::Bars => Circle::new(middle, 4, colour.filled()).into_dyn(),
                    Style::Rings => Circle::new(middle, 5, ink).into_dyn(),
                    Style::Line | Style::LineDots => {
                        PathElement::new([(x, y), (x + 20, y)], ink).into_dyn()
                    }
                }
            });
        }
        context.draw_series(intervals.map(|Point { x, y, error }| {
            PathElement::new(
                [(x, y - error), (x, y + error)],
                ShapeStyle::from(whisker).stroke_width(1),
            )
        }))?;
        Ok(())
    }
}

type Numbers =
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>;
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
        } else if size >= 0.01 {
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
        let points = vec![Point { x: 1.0, y: 2.0, error: 0.5 }, Point::new(2.0, 3.0)];
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
        assert_eq!(log.text(-3.0), "1e-3");
        assert_eq!(log.text(2.0), "100");
        assert_eq!(Axis::default().text(0.25), "0.25");
        assert_eq!(Axis::default().text(-1.0), "-1");
    }
}
